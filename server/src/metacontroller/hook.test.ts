import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { compositeHook } from "./hook.ts";

const parent = v.object({
  metadata: v.object({ name: v.string() }),
  spec: v.object({ size: v.number() }),
});

const hookThatAnswers = (answer: unknown) =>
  compositeHook({ name: "thing", parent, sync: () => answer as never });

const request = { parent: { metadata: { name: "a" }, spec: { size: 1 } }, children: {} };
const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } };

describe("a composite hook", () => {
  test("lies at its controller's name", () => {
    expect(hookThatAnswers({}).path).toBe("/thing/sync");
  });

  test("gives the sync function what the schema read and answers what it returns", async () => {
    const hook = compositeHook({
      name: "thing",
      parent,
      sync: ({ parent }) => ({ status: { size: parent.spec.size }, children: [pod] }),
    });
    expect(await hook.call(request)).toEqual({
      status: 200,
      body: { status: { size: 1 }, children: [pod] },
    });
  });

  test("refuses a parent that it cannot read, with every issue by path, and does not sync it", async () => {
    const outcome = await hookThatAnswers({ status: {}, children: [] }).call({
      parent: { metadata: {}, spec: { size: "1" } },
      children: {},
    });
    expect(outcome).toMatchObject({
      status: 422,
      error: "InvalidRequest",
      issues: [{ path: "parent.metadata.name" }, { path: "parent.spec.size" }],
    });
  });

  test.each([
    ["null among the children", { status: {}, children: [null] }, "children.0"],
    ["null in a child", { status: {}, children: [{ ...pod, spec: { a: [null] } }] }, "children.0"],
    [
      "a child with no name",
      { status: {}, children: [{ ...pod, metadata: {} }] },
      "children.0.metadata.name",
    ],
    ["null in the status", { status: { pods: null }, children: [] }, "status"],
    ["no children", { status: {} }, "children"],
    ["a foreign field", { status: {}, children: [], extra: 1 }, "extra"],
    ["no answer", undefined, ""],
  ])("holds back an answer of ours with %s", async (_, answer, path) => {
    const outcome = await hookThatAnswers(answer).call(request);
    expect(outcome).toMatchObject({ status: 500, error: "InvalidResponse", issues: [{ path }] });
  });
});
