import { describe, expect, test } from "vitest";
import { assess, isSettled } from "./assess.ts";
import { contentHash } from "./content.ts";
import { ANNOTATION, NAMES, readConfigMap, readOptions, readPod } from "./testing.ts";

const A = { a: "A", other: "1" };
const B = { a: "B", other: "1" };
const hashOf = (data: Record<string, string>, keys?: string[]) =>
  contentHash({ data, binaryData: {} }, keys);

/** What the reloader remembers when it has seen this content, that changed then. */
const seen = async (
  data: Record<string, string>,
  changedAt: number,
  annotations: Record<string, string> = {},
) => {
  const configMap = readConfigMap({ data, changedAt });
  return { [NAMES.seen]: (await assess(configMap, [], readOptions(annotations), NAMES)).seen };
};

const judge = async (
  configMap: ReturnType<typeof readConfigMap>,
  pod: Parameters<typeof readPod>[0],
  annotations: Record<string, string> = {},
) => {
  const { pods } = await assess(configMap, [readPod(pod)], readOptions(annotations), NAMES);
  return pods[0]?.startedWith;
};

describe("a pod with a record", () => {
  test("started with what the record says, whenever that was", async () => {
    const configMap = readConfigMap({ data: B, changedAt: 10, annotations: await seen(A, 0) });
    expect(await judge(configMap, { record: await hashOf(A), createdAt: 20 })).toBe(
      await hashOf(A),
    );
  });

  test("started with the content of now when other keys count by now, and content did not change", async () => {
    const keys = { [`${ANNOTATION}.keys`]: "a" };
    const annotations = await seen(A, 0);
    const record = await hashOf(A);
    const same = readConfigMap({ data: A, changedAt: 10, annotations });
    expect(await judge(same, { record }, keys)).toBe(await hashOf(A, ["a"]));
    const other = readConfigMap({ data: B, changedAt: 10, annotations });
    expect(await judge(other, { record }, keys)).toBe(record);
  });
});

describe("a pod with no record", () => {
  test("is taken to have the content of now when the ConfigMap is seen for the first time", async () => {
    const configMap = readConfigMap({ data: B, changedAt: 10 });
    expect(await judge(configMap, { createdAt: 0 })).toBe(await hashOf(B));
  });

  test("has it, too, when the ConfigMap names other pods than when it was seen last", async () => {
    const annotations = await seen(A, 0, { [ANNOTATION]: "app=other" });
    const configMap = readConfigMap({ data: A, changedAt: 10, annotations });
    expect(await judge(configMap, { createdAt: 0 })).toBe(await hashOf(A));
  });

  test("has it when the ConfigMap is as it was seen last, though both are of the same second", async () => {
    const configMap = readConfigMap({ data: B, changedAt: 10, annotations: await seen(B, 10) });
    expect(await judge(configMap, { createdAt: 10 })).toBe(await hashOf(B));
  });

  test("has it when it is younger than the change that nobody saw", async () => {
    const configMap = readConfigMap({ data: B, changedAt: 10, annotations: await seen(A, 0) });
    expect(await judge(configMap, { createdAt: 11 })).toBe(await hashOf(B));
  });

  test.each([5, 10])(
    "is not known to have it when it was made at second %i and the change that nobody saw at 10",
    async (createdAt) => {
      const configMap = readConfigMap({ data: B, changedAt: 10, annotations: await seen(A, 0) });
      expect(await judge(configMap, { createdAt })).toBe("unknown");
    },
  );

  test("is not known to have it when the content may have changed and changed back unseen", async () => {
    const configMap = readConfigMap({ data: A, changedAt: 10, annotations: await seen(A, 0) });
    expect(await judge(configMap, { createdAt: 5 })).toBe("unknown");
  });

  test("is not known to have it when the content changed again within the second in which it was seen", async () => {
    const configMap = readConfigMap({ data: B, changedAt: 10, annotations: await seen(A, 10) });
    expect(await judge(configMap, { createdAt: 10 })).toBe("unknown");
  });

  test("is adopted when what was remembered cannot be read", async () => {
    const annotations = { [NAMES.seen]: "{" };
    const configMap = readConfigMap({ data: B, changedAt: 10, annotations });
    expect(await judge(configMap, { createdAt: 0 })).toBe(await hashOf(B));
  });
});

describe("a ConfigMap", () => {
  test.each([
    ["with other labels", { labels: { app: "other" } }],
    ["with no labels", { labels: {} }],
    ["in another namespace", { namespace: "other" }],
    ["that ends", { isEnding: true }],
    ["that has failed", { status: { phase: "Failed" } }],
    ["that is done", { status: { phase: "Succeeded" } }],
  ])("does not look after a pod %s", async (_, pod) => {
    expect(await judge(readConfigMap(), pod)).toBeUndefined();
  });

  test("is settled when it has been seen, and each pod has its record and the content of now", async () => {
    const annotations = await seen(A, 0);
    const settled = async (configMap: object, ...pods: Parameters<typeof readPod>[0][]) =>
      isSettled(await assess(readConfigMap(configMap), pods.map(readPod), readOptions(), NAMES));
    const record = await hashOf(A);
    expect(await settled({ data: A, annotations })).toBe(true);
    expect(await settled({ data: A, annotations }, { record })).toBe(true);
    expect(await settled({ data: A }, { record })).toBe(false);
    expect(await settled({ data: A, annotations }, { record }, {})).toBe(false);
    expect(await settled({ data: A, annotations }, { record: "other" })).toBe(false);
    expect(await settled({ data: A, annotations, changedAt: 1 }, { record })).toBe(false);
  });
});
