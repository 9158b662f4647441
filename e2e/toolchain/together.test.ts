import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { together } from "./together.ts";

test("results come in the order of the actions", async () => {
  expect(await together(sleep(5, "slow"), Promise.resolve("fast"))).toEqual(["slow", "fast"]);
});

test("a failure is thrown only when the others have ended", async () => {
  let ended = false;
  const slow = sleep(20).then(() => {
    ended = true;
  });
  await expect(together(Promise.reject(new Error("no luck")), slow)).rejects.toThrow("no luck");
  expect(ended).toBe(true);
});
