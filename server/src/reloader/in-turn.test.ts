import { expect, test } from "vitest";
import { createInTurn } from "./in-turn.ts";

const deferred = () => Promise.withResolvers<void>();

test("tasks of one key run one after the other, though one of them fails, and others beside them", async () => {
  const inTurn = createInTurn();
  const began: string[] = [];
  const [first, second] = [deferred(), deferred()];
  const task = (name: string, until: Promise<void>) => async () => {
    began.push(name);
    await until;
    return name;
  };
  const failing = inTurn("a", task("first", first.promise));
  const following = inTurn("a", task("second", second.promise));
  expect(await inTurn("b", task("other", Promise.resolve()))).toBe("other");
  expect(began).toEqual(["first", "other"]);
  first.reject(new Error("no"));
  await expect(failing).rejects.toThrow("no");
  second.resolve();
  expect(await following).toBe("second");
  expect(began).toEqual(["first", "other", "second"]);
});
