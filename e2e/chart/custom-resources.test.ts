import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { helloWorld } from "../../server/src/hello-world/schema.ts";
import { sync as syncHelloWorld } from "../../server/src/hello-world/sync.ts";
import { immortalContainer } from "../../server/src/immortal-container/schema.ts";
import { sync as syncImmortalContainer } from "../../server/src/immortal-container/sync.ts";
import { pythonLambda } from "../../server/src/python-lambda/schema.ts";
import { sync as syncLambda } from "../../server/src/python-lambda/sync.ts";
import { parseSettings } from "../../server/src/settings.ts";
import { ensureHelm, find, type Manifest, OPERATOR_CHART, ROOT, render } from "./helm.ts";
import { REFUSED_LAMBDAS, TAKEN_LAMBDAS } from "./lambdas.ts";
import { REFUSED_OBJECTS } from "./small-kinds.ts";

beforeAll(ensureHelm, 15 * 60_000);

const settingsOf = (manifests: readonly Manifest[]) =>
  parseSettings(find(manifests, "ConfigMap").data["settings.json"], "the chart");

const example = async (name: string): Promise<object> =>
  parse(await readFile(join(ROOT, "examples", name), "utf8"));

/** What the webhook server answers for an object of each kind, by the chart's own settings. */
const KINDS = [
  {
    kind: "PythonLambda",
    crd: "pythonlambdas.example.com",
    controller: "python-lambda",
    answer: async (manifests: readonly Manifest[]) => {
      const parent = v.parse(pythonLambda, TAKEN_LAMBDAS[0]?.object);
      return syncLambda({ parent, children: {} }, settingsOf(manifests).pythonLambda);
    },
  },
  {
    kind: "ImmortalContainer",
    crd: "immortalcontainers.example.com",
    controller: "immortal-container",
    answer: async () => {
      const status = { restarts: 1, backoffSeconds: 10 };
      const parent = v.parse(immortalContainer, {
        ...(await example("immortal-container.yaml")),
        status,
      });
      return syncImmortalContainer({ parent, children: {} }, 0);
    },
  },
  {
    kind: "HelloWorld",
    crd: "helloworlds.example.com",
    controller: "hello-world",
    answer: async (manifests: readonly Manifest[]) => {
      const parent = v.parse(helloWorld, await example("hello-world.yaml"));
      return syncHelloWorld({ parent, children: {} }, settingsOf(manifests).helloWorld);
    },
  },
] as const;

/** The paths of all values in an object, lists left out: `conditions.reason`. */
const pathsOf = (value: unknown, at = ""): string[] =>
  typeof value !== "object" || value === null
    ? [at]
    : Object.entries(value).flatMap(([key, inner]) =>
        pathsOf(inner, Array.isArray(value) ? at : at ? `${at}.${key}` : key),
      );

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
}

const pathsOfSchema = ({ properties, items }: Schema, at = ""): string[] => {
  if (items) {
    return pathsOfSchema(items, at);
  }
  return properties === undefined
    ? [at]
    : Object.entries(properties).flatMap(([key, inner]) =>
        pathsOfSchema(inner, at ? `${at}.${key}` : key),
      );
};

describe("the CustomResourceDefinition of", () => {
  it.each(KINDS)(
    "$kind describes all of its status, so that the API server keeps it",
    async ({ crd, answer }) => {
      const manifests = await render(OPERATOR_CHART);
      const [version] = find(manifests, "CustomResourceDefinition", crd).spec.versions;
      const { status } = await answer(manifests);
      const described = pathsOfSchema(version.schema.openAPIV3Schema.properties.status);
      expect(described).toEqual(expect.arrayContaining([...pathsOf(status), "observedGeneration"]));
    },
  );

  it.each(REFUSED_LAMBDAS)(
    "PythonLambda need not stand alone: the webhook server refuses $title too",
    ({ object }) => {
      expect(v.safeParse(pythonLambda, object).success).toBe(false);
    },
  );

  it.each(REFUSED_OBJECTS)(
    "$object.kind need not stand alone: the webhook server refuses $title too",
    ({ object }) => {
      const schema = v.variant("kind", [helloWorld, immortalContainer]);
      expect(v.safeParse(schema, object).success).toBe(false);
    },
  );

  it.each(TAKEN_LAMBDAS)(
    "PythonLambda need not be doubted: the webhook server takes $title",
    ({ object }) => {
      expect(v.safeParse(pythonLambda, object).issues).toBeUndefined();
    },
  );
});

describe("the CompositeController of", () => {
  it.each(KINDS)(
    "$kind declares the kinds that the webhook server answers with, and no other",
    async ({ controller, answer }) => {
      const manifests = await render(OPERATOR_CHART);
      const { childResources } = find(manifests, "CompositeController", controller).spec;
      const declared = childResources.map(
        ({ apiVersion, resource }: { apiVersion: string; resource: string }) =>
          `${apiVersion} ${resource}`,
      );
      const { children } = await answer(manifests);
      const answered = children.map(({ apiVersion, kind }) => `${apiVersion} ${plural(kind)}`);
      expect(declared.toSorted()).toEqual(answered.toSorted());
    },
  );
});

const plural = (kind: string) => kind.toLowerCase().concat(kind.endsWith("s") ? "es" : "s");
