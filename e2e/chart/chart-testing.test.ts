import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { buildModules } from "../toolchain/build-modules.ts";
import { withLock } from "../toolchain/lock.ts";
import { run } from "../toolchain/spawn.ts";
import { ensureCommands } from "../toolchain/tools.ts";
import { ROOT } from "./helm.ts";

let configDir: string;

beforeAll(
  () =>
    withLock(async () => {
      await ensureCommands(["ct", "helm", "yamllint", "yamale"]);
      const { "chart-testing": module } = await buildModules(["chart-testing"]);
      configDir = join(module, "etc");
    }),
  15 * 60_000,
);

it("chart-testing has nothing against the charts", { timeout: 60_000 }, async () => {
  const schema = `--chart-yaml-schema=${join(configDir, "chart_schema.yaml")}`;
  const rules = `--lint-conf=${join(configDir, "lintconf.yaml")}`;
  const said = await run("ct", ["lint", "--config=ct.yaml", schema, rules], { cwd: ROOT });
  expect(said).toContain("python-lambda-operator => (version:");
  expect(said).toContain("All charts linted successfully");
});
