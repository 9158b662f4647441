import { describe, expect, test } from "vitest";
import { changedAtSeconds, contentHash } from "./content.ts";
import { readConfigMap, secondsAt } from "./testing.ts";

const hashOf = (data: object, binaryData: object = {}, keys?: string[]) =>
  contentHash({ data: { ...data }, binaryData: { ...binaryData } }, keys);

describe("the hash of a ConfigMap's content", () => {
  test("is the same for the same content, in whatever order", async () => {
    expect(await hashOf({ a: "1", b: "2" })).toBe(await hashOf({ b: "2", a: "1" }));
  });

  test.each([
    ["another value", { a: "2" }, {}],
    ["another key", { b: "1" }, {}],
    ["one more key", { a: "1", b: "" }, {}],
    ["none", {}, {}],
    ["the same as binary data", {}, { a: "1" }],
    ["binary data beside it", { a: "1" }, { b: "AA==" }],
    ["what the values of two keys could be taken for", { 'a","1"],["b': "" }, {}],
  ])("is another for %s", async (_, data, binaryData) => {
    expect(await hashOf(data, binaryData)).not.toBe(await hashOf({ a: "1" }));
  });

  test("is of some keys alone when they are given", async () => {
    const hash = await hashOf({ a: "1", b: "2" }, {}, ["a"]);
    expect(await hashOf({ a: "1", b: "3" }, { c: "AA==" }, ["a"])).toBe(hash);
    expect(await hashOf({ a: "2", b: "2" }, {}, ["a"])).not.toBe(hash);
    expect(await hashOf({ b: "2" }, {}, ["a"])).not.toBe(hash);
  });
});

describe("the time of a ConfigMap's last change", () => {
  test("is that of the last writer of content, whoever wrote labels and annotations since", () => {
    expect(changedAtSeconds(readConfigMap({ changedAt: 20 }))).toBe(secondsAt(20));
  });

  test("is that of its creation when nobody is said to have written content", () => {
    const configMap = readConfigMap();
    configMap.metadata.managedFields = [];
    expect(changedAtSeconds(configMap)).toBe(secondsAt(0));
  });
});
