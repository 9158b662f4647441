import { beforeAll, expect, it } from "vitest";
import { run } from "../toolchain/spawn.ts";
import { ensureCommands } from "../toolchain/toolchain.ts";
import { OPERATOR_CHART } from "./helm.ts";

beforeAll(() => ensureCommands(["helm-unittest"]), 15 * 60_000);

it("the suites in the operator's chart pass", async () => {
  const said = await run("helm-unittest", ["--strict", "--color=false", OPERATOR_CHART]);
  expect(said).toMatch(/Test Suites: [1-9]\d* passed/);
});
