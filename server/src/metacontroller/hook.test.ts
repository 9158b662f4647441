import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { compositeHook, customizeHook, decoratorHook, subjectOf } from "./hook.ts";

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

describe("a decorator hook", () => {
  const decorated = v.object({ metadata: v.object({ name: v.string() }) });
  const hookThatDecorates = (answer: unknown) =>
    decoratorHook({ name: "thing", object: decorated, sync: () => answer as never });
  const object = { metadata: { name: "a" } };

  test("gives the sync function the object and what is related, and answers what it returns", async () => {
    const hook = decoratorHook({
      name: "thing",
      object: decorated,
      sync: ({ object, related }) => ({
        annotations: { pods: Object.keys(related["Pod.v1"] ?? {}).join(), gone: null },
        labels: { name: object.metadata.name },
        resyncAfterSeconds: 1.5,
      }),
    });
    expect(hook.path).toBe("/thing/sync");
    expect(await hook.call({ object, related: { "Pod.v1": { a: pod } } })).toEqual({
      status: 200,
      body: {
        annotations: { pods: "a", gone: null },
        labels: { name: "a" },
        attachments: [],
        resyncAfterSeconds: 1.5,
      },
    });
  });

  test("refuses an object that it cannot read", async () => {
    const outcome = await hookThatDecorates({}).call({ object: { metadata: {} } });
    expect(outcome).toMatchObject({ status: 422, issues: [{ path: "object.metadata.name" }] });
  });

  test.each([
    ["an annotation that is no text", { annotations: { a: 1 } }, "annotations.a"],
    ["a status, which would replace the object's own", { status: {} }, "status"],
    ["null among the attachments", { attachments: [null] }, "attachments.0"],
    ["a resync in the past", { resyncAfterSeconds: -1 }, "resyncAfterSeconds"],
  ])("holds back an answer of ours with %s", async (_, answer, path) => {
    const outcome = await hookThatDecorates(answer).call({ object });
    expect(outcome).toMatchObject({ status: 500, error: "InvalidResponse", issues: [{ path }] });
  });
});

describe("a customize hook", () => {
  const pods = [{ apiVersion: "v1", resource: "pods", labelSelector: {} }];

  test("says the same of every parent", async () => {
    const hook = customizeHook("thing", pods);
    expect(hook.path).toBe("/thing/customize");
    for (const name of ["a", "b"]) {
      const outcome = await hook.call({ parent: { ...pod, metadata: { name } } });
      expect(outcome).toEqual({ status: 200, body: { relatedResources: pods } });
    }
  });

  test("refuses a request with no parent", async () => {
    const outcome = await customizeHook("thing", pods).call({});
    expect(outcome).toMatchObject({ status: 422, issues: [{ path: "parent" }] });
  });
});

describe("the subject of a request", () => {
  const metadata = { name: "a", namespace: "n", generation: 2 };

  test.each([
    ["a parent", { parent: { metadata } }, { object: "n/a", generation: 2 }],
    ["a decorated object", { object: { metadata: { name: "a" } } }, { object: "a" }],
    ["nothing that it knows", { other: { metadata } }, {}],
  ])("is found in %s", (_, body, subject) => {
    expect(subjectOf(body)).toEqual(subject);
  });
});
