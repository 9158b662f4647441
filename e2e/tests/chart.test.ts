import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkConformance } from "../chart/conformance.ts";
import { ROOT } from "../chart/helm.ts";
import { imageValues, installOperator, OPERATOR_CHART, OPERATOR_RELEASE } from "../stack/stack.ts";
import { run } from "../toolchain/spawn.ts";
import { cluster, helm, images, kubectl, uninstallOperator } from "./fixture.ts";

const variants = readdirSync(join(OPERATOR_CHART, "ci"));

test.for(variants)(
  "the chart with %s makes objects that the API server knows, field by field",
  async (file) => {
    const values = `--values=${join(OPERATOR_CHART, "ci", file)}`;
    const yaml = await helm(["template", "python-lambda", OPERATOR_CHART, values]);
    const objects = yaml.split(/^---$/m).filter((text) => /^kind:/m.test(text));
    expect(await checkConformance(cluster.kubeconfigPath, yaml)).toBe(objects.length);
  },
);

test("chart-testing installs the chart with each of its values, tests it, and takes it away", async () => {
  onTestFinished(() => installOperator(cluster, images));
  await uninstallOperator();
  // They stay when a release goes, and Helm does not give them to a release of another name.
  const owned = `--selector=app.kubernetes.io/instance=${OPERATOR_RELEASE}`;
  await kubectl(["delete", "customresourcedefinitions", owned]);
  const imageSettings = (path: string, image: string) => {
    const { repository, tag } = imageValues(image);
    return `${path}.repository=${repository},${path}.tag=${tag}`;
  };
  const sets = [
    imageSettings("image", images.server),
    imageSettings("configMapReloader.image", images.reloader),
    imageSettings("runtime.image", images.runtime),
  ];
  const said = await run(
    "ct",
    ["install", "--config=ct.yaml", `--helm-extra-set-args=--set=${sets.join(",")}`],
    { cwd: ROOT, env: { KUBECONFIG: cluster.kubeconfigPath } },
  );
  expect(said).toContain("All charts installed successfully");
});
