import * as v from "valibot";
import { beforeAll, describe, expect, it } from "vitest";
import { pythonLambda } from "../../server/src/python-lambda/schema.ts";
import { sync } from "../../server/src/python-lambda/sync.ts";
import { parseSettings } from "../../server/src/settings.ts";
import { ensureHelm, find, type Manifest, OPERATOR_CHART, render } from "./helm.ts";
import { REFUSED_LAMBDAS, TAKEN_LAMBDAS } from "./lambdas.ts";

beforeAll(ensureHelm, 15 * 60_000);

/** What the webhook server answers for a lambda of one line, by the chart's own settings. */
const answer = async (manifests: readonly Manifest[]) => {
  const settings = parseSettings(find(manifests, "ConfigMap").data["settings.json"], "the chart");
  const parent = v.parse(pythonLambda, TAKEN_LAMBDAS[0]?.object);
  return sync({ parent, children: {} }, settings.pythonLambda);
};

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

describe("the CustomResourceDefinition", () => {
  it("describes all of a lambda's status, so that the API server keeps it", async () => {
    const manifests = await render(OPERATOR_CHART);
    const [version] = find(manifests, "CustomResourceDefinition").spec.versions;
    const { status } = await answer(manifests);
    const described = pathsOfSchema(version.schema.openAPIV3Schema.properties.status);
    expect(described).toEqual(expect.arrayContaining([...pathsOf(status), "observedGeneration"]));
  });

  it.each(REFUSED_LAMBDAS)(
    "need not stand alone: the webhook server refuses $title too",
    ({ object }) => {
      expect(v.safeParse(pythonLambda, object).success).toBe(false);
    },
  );

  it.each(TAKEN_LAMBDAS)("need not be doubted: the webhook server takes $title", ({ object }) => {
    expect(v.safeParse(pythonLambda, object).issues).toBeUndefined();
  });
});

describe("the CompositeController", () => {
  it("declares the kinds that the webhook server answers with, and no other", async () => {
    const manifests = await render(OPERATOR_CHART);
    const { childResources } = find(manifests, "CompositeController").spec;
    const declared = childResources.map(
      ({ apiVersion, resource }: { apiVersion: string; resource: string }) =>
        `${apiVersion} ${resource}`,
    );
    const { children } = await answer(manifests);
    const answered = children.map(({ apiVersion, kind }) => `${apiVersion} ${plural(kind)}`);
    expect(declared.toSorted()).toEqual(answered.toSorted());
  });
});

const plural = (kind: string) => kind.toLowerCase().concat(kind.endsWith("s") ? "es" : "s");
