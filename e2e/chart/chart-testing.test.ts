import { beforeAll, expect, it } from "vitest";
import { run } from "../toolchain/spawn.ts";
import { ensureCommands } from "../toolchain/toolchain.ts";
import { ROOT } from "./helm.ts";

beforeAll(() => ensureCommands(["ct", "helm", "yamllint", "yamale"]), 15 * 60_000);

it("chart-testing has nothing against the charts", { timeout: 60_000 }, async () => {
  const said = await run("ct", ["lint", "--config=ct.yaml"], { cwd: ROOT });
  expect(said).toContain("python-lambda-operator => (version:");
  expect(said).toContain("All charts linted successfully");
});
