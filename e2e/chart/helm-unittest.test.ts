import { expect, it } from "vitest";
import { run } from "../toolchain/spawn.ts";
import { OPERATOR_CHART } from "./helm.ts";
import { ensureHelmUnittest } from "./helm-unittest.ts";

it("the suites in the operator's chart pass", { timeout: 15 * 60_000 }, async () => {
  const command = await ensureHelmUnittest();
  const said = await run(command, ["--strict", "--color=false", OPERATOR_CHART]);
  expect(said).toMatch(/Test Suites: [1-9]\d* passed/);
});
