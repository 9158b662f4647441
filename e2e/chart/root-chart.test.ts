import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import { run } from "../toolchain/spawn.ts";
import { ensureHelm, find, helm, OPERATOR_CHART, ROOT, render } from "./helm.ts";
import { type Dependency, lockDigest } from "./lock.ts";

const readYaml = async (path: string) => parse(await readFile(path, "utf8"));

const folder = await mkdtemp(join(tmpdir(), "python-lambda-chart-"));
/** The root chart as it is, beside a chart that stands for Metacontroller's, which is in a registry. */
const chart = join(folder, "python-lambda");

beforeAll(async () => {
  await ensureHelm();
  await mkdir(join(chart, "charts"), { recursive: true });
  for (const name of await readdir(ROOT)) {
    if (name !== "charts") await symlink(join(ROOT, name), join(chart, name));
  }
  await cp(OPERATOR_CHART, join(chart, "charts/python-lambda-operator"), { recursive: true });
  await makeMetacontrollerChart(join(chart, "charts/metacontroller-helm"));
}, 15 * 60_000);

afterAll(() => rm(folder, { recursive: true }));

/** A chart of the name and version that Chart.yaml wants, whose one object shows the values that it is given. */
const makeMetacontrollerChart = async (path: string) => {
  const { dependencies } = await readYaml(join(ROOT, "Chart.yaml"));
  const { name, version } = dependencies[0];
  await mkdir(join(path, "templates"), { recursive: true });
  await writeFile(join(path, "Chart.yaml"), stringify({ apiVersion: "v2", name, version }));
  const shown = "apiVersion: v1\nkind: Shown\nvalues: {{ .Values | toJson }}\n";
  await writeFile(join(path, "templates/values.yaml"), shown);
};

describe("the root chart", () => {
  it("has nothing that helm lint warns of", async () => {
    expect(await helm("lint", "--strict", chart)).toContain("0 chart(s) failed");
  });

  it("packs what it needs and no more", async () => {
    await helm("package", chart, "--destination", folder);
    const archive = join(folder, `python-lambda-${packageJson.version}.tgz`);
    const listed = await run("tar", ["-tzf", archive]);
    const files = listed.split("\n").map((path) => path.replace(/^python-lambda\//, ""));
    const own = files.filter((path) => !path.startsWith("charts/"));
    expect(own.toSorted()).toEqual([
      "Chart.lock",
      "Chart.yaml",
      "LICENSE",
      "templates/NOTES.txt",
      "values.schema.json",
      "values.yaml",
    ]);
    const operator = files.filter((path) => path.startsWith("charts/python-lambda-operator/"));
    expect(operator).toContain("charts/python-lambda-operator/templates/tests/lambda-pod.yaml");
    expect(operator.filter((path) => /operator\/(ci|tests)\//.test(path))).toEqual([]);
  });

  it("hands values on to the operator", async () => {
    const manifests = await render(chart, "--set", "python-lambda-operator.host=lambda.example");
    const settings = JSON.parse(find(manifests, "ConfigMap").data["settings.json"]);
    expect(settings.pythonLambda.host).toBe("lambda.example");
  });

  it("refuses a value of the operator in its own place", async () => {
    const rendered = render(chart, "--set", "host=lambda.example");
    await expect(rendered).rejects.toThrow("additional properties 'host' not allowed");
  });

  it("is of one version with its operator and the project", async () => {
    const root = await readYaml(join(ROOT, "Chart.yaml"));
    const operator = await readYaml(join(OPERATOR_CHART, "Chart.yaml"));
    const versions = [root, operator].flatMap(({ version, appVersion }) => [version, appVersion]);
    expect(new Set([...versions, root.dependencies[1].version])).toEqual(
      new Set([packageJson.version]),
    );
  });
});

describe("Chart.lock", () => {
  it("is that of Chart.yaml", async () => {
    const { dependencies: asked } = await readYaml(join(ROOT, "Chart.yaml"));
    const { dependencies: locked, digest } = await readYaml(join(ROOT, "Chart.lock"));
    expect(locked.map(({ name }: Dependency) => name)).toEqual(
      asked.map(({ name }: Dependency) => name),
    );
    expect(digest).toBe(lockDigest(asked, locked));
  });

  it("has a digest that Helm itself would have made", async () => {
    const path = join(folder, "locked");
    const asked = [
      { name: "near", version: "1.0.0", repository: "" },
      { name: "beside", version: "^1.0.0", repository: "file://../beside", alias: "other" },
    ];
    const write = async (at: string, about: object) => {
      await mkdir(at, { recursive: true });
      await writeFile(join(at, "Chart.yaml"), stringify({ apiVersion: "v2", ...about }));
    };
    await write(path, { name: "locked", version: "1.0.0", dependencies: asked });
    await write(join(path, "charts/near"), { name: "near", version: "1.0.0" });
    await write(join(folder, "beside"), { name: "beside", version: "1.2.3" });
    await helm("dependency", "update", "--skip-refresh", path);
    const { dependencies: locked, digest } = await readYaml(join(path, "Chart.lock"));
    expect(lockDigest(asked, locked)).toBe(digest);
  });
});

describe("Metacontroller's role", () => {
  const EVERYTHING = ["get", "list", "watch", "create", "update", "patch", "delete"];

  interface Rule {
    apiGroups: string[];
    resources: string[];
    verbs: string[];
  }

  const allows = (rules: Rule[], apiVersion: string, resource: string, verbs: string[]) => {
    const [group = ""] = apiVersion.includes("/") ? apiVersion.split("/") : [];
    const granted = rules
      .filter(
        ({ apiGroups, resources }) => apiGroups.includes(group) && resources.includes(resource),
      )
      .flatMap((rule) => rule.verbs);
    return verbs.every((verb) => granted.includes(verb));
  };

  it("lets it do what the operator's controllers ask for", async () => {
    const manifests = await render(chart);
    const { rules } = find(manifests, "Shown").values.clusterRole;
    const controllers = manifests.filter(({ kind }) => kind === "CompositeController");
    expect(controllers).toHaveLength(3);
    for (const { spec } of controllers) {
      const { apiVersion, resource } = spec.parentResource;
      expect(allows(rules, apiVersion, resource, ["get", "list", "watch"]), resource).toBe(true);
      expect(allows(rules, apiVersion, `${resource}/status`, ["update"]), "its status").toBe(true);
      for (const child of spec.childResources) {
        expect(allows(rules, child.apiVersion, child.resource, EVERYTHING), resource).toBe(true);
      }
    }
  });

  it("lets it read no Secret, and has no wildcard", async () => {
    const { rules } = find(await render(chart), "Shown").values.clusterRole;
    expect(JSON.stringify(rules)).not.toMatch(/secrets|\*/);
  });
});
