import { describe, expect, test } from "vitest";
import { assess } from "./assess.ts";
import { contentHash } from "./content.ts";
import { plan, podsLeftAlone } from "./plan.ts";
import { ANNOTATION, NAMES, readConfigMap, readOptions, readPod, secondsAt } from "./testing.ts";

type Given = NonNullable<Parameters<typeof readPod>[0]>;

const CHANGED_AT = 100;
const configMap = readConfigMap({ changedAt: CHANGED_AT });
const hash = await contentHash(configMap);

const old = (name: string, given: Given = {}): Given => ({ name, record: "old", ...given });
const fresh = (name: string, given: Given = {}): Given => ({
  name,
  record: hash,
  createdAt: CHANGED_AT,
  ...given,
});

interface Around {
  desired?: Record<string, number>;
  now?: number;
  annotations?: Record<string, string>;
}

const decide = async (
  given: Given[],
  { desired = { web: 3 }, now = CHANGED_AT + 30, annotations = {} }: Around = {},
) => {
  const pods = given.map(readPod);
  const options = readOptions(annotations);
  const assessment = await assess(configMap, pods, options, NAMES);
  const wanted = new Map(Object.entries(desired));
  const decided = plan(assessment, options, pods, wanted, secondsAt(now));
  const left = podsLeftAlone(assessment, wanted).map(({ metadata }) => metadata.name);
  return { decided, left };
};

const evicts = async (...asked: Parameters<typeof decide>) => {
  const { decided } = await decide(...asked);
  return decided.kind === "evict"
    ? decided.pods.map(({ metadata }) => metadata.name)
    : decided.kind;
};

const maxUnavailable = (count: number) => ({
  annotations: { [`${ANNOTATION}.maxUnavailable`]: String(count) },
});

describe("of the pods that started with other content", () => {
  test("there being none, nothing is to be done", async () => {
    expect(await evicts([fresh("a"), fresh("b")])).toBe("done");
    expect(await evicts([])).toBe("done");
  });

  test("the oldest is evicted first, and one at a time", async () => {
    const pods = [old("a", { createdAt: 9 }), old("b", { createdAt: 1 }), old("c")];
    expect(await evicts(pods)).toEqual(["c"]);
  });

  test("as many are evicted as may be missing, and no more than there are", async () => {
    expect(await evicts([old("a"), old("b"), old("c")], maxUnavailable(2))).toEqual(["a", "b"]);
    expect(await evicts([fresh("a"), fresh("b"), old("c")], maxUnavailable(9))).toEqual(["c"]);
  });

  test("none is evicted while one that was evicted ends and nothing is in its place", async () => {
    const pods = [fresh("a", { isEnding: true }), old("b"), old("c")];
    expect(await evicts(pods)).toBe("wait");
    expect(await evicts(pods, maxUnavailable(2))).toEqual(["b"]);
  });

  test("none is evicted while one that was evicted is gone and nothing is in its place", async () => {
    expect(await evicts([old("b"), old("c")])).toBe("wait");
  });

  test("none is evicted while the new one is not Ready", async () => {
    expect(await evicts([fresh("a", { isReady: false }), old("b"), old("c")])).toBe("wait");
  });

  test("the next is evicted when the new one is Ready, though the one before it still ends", async () => {
    const pods = [old("z", { isEnding: true }), fresh("a"), old("b"), old("c")];
    expect(await evicts(pods)).toEqual(["b"]);
  });

  test("one that is not Ready goes first, and though pods are missing: it may be what waits for the new content", async () => {
    expect(await evicts([old("a"), old("b", { isReady: false }), old("c")])).toEqual(["b"]);
    const none = [1, 2, 3].map((number) => old(`web-${number}`, { isReady: false }));
    expect(await evicts(none)).toEqual(["web-1"]);
  });

  test("none is evicted while a new one of another of their controllers is not Ready", async () => {
    const pods = [old("a"), fresh("b", { owner: "other", isReady: false })];
    expect(await evicts(pods, { desired: { web: 1, other: 1 } })).toBe("wait");
  });

  test("a controller with more pods than it wants does not make up for one with fewer", async () => {
    const pods = [old("a"), old("b"), fresh("c", { owner: "other", isReady: false })];
    expect(await evicts(pods, { desired: { web: 1, other: 1 } })).toBe("wait");
  });

  test("those pods of the controller count as present that the ConfigMap does not select", async () => {
    const others = ["b", "c"].map((name) => fresh(name, { labels: {} }));
    expect(await evicts([old("a"), ...others])).toEqual(["a"]);
  });

  test("one that nothing would make anew is left alone", async () => {
    const pods = [old("bare", { owner: null }), old("job", { owner: "job" }), old("a")];
    const { decided, left } = await decide(pods, { desired: { web: 1 } });
    expect(left).toEqual(["bare", "job"]);
    expect(decided).toMatchObject({ kind: "evict", pods: { length: 1 } });
    expect(await evicts(pods.slice(0, 2))).toBe("done");
  });

  test("none is evicted until the content has been as it is for long enough", async () => {
    const annotations = { [`${ANNOTATION}.debounce`]: "40s" };
    const { decided } = await decide([old("a")], { annotations });
    expect(decided).toEqual({ kind: "wait", seconds: 10 });
    const later = { annotations, now: CHANGED_AT + 40, desired: { web: 1 } };
    expect(await evicts([old("a")], later)).toEqual(["a"]);
  });

  test("all are told of on a dry run, and none is evicted", async () => {
    const annotations = { [`${ANNOTATION}.dryRun`]: "true" };
    const { decided } = await decide([old("a"), old("b"), fresh("c")], { annotations });
    expect(decided).toMatchObject({ kind: "report", pods: { length: 2 } });
  });
});

describe("a new pod that does not become Ready", () => {
  const container = (given: object) => ({ containerStatuses: [{ name: "main", ...given }] });

  test.each([
    [
      "crashes",
      container({ state: { waiting: { reason: "CrashLoopBackOff" } } }),
      "CrashLoopBackOff",
    ],
    ["has no image", container({ state: { waiting: { reason: "ErrImagePull" } } }), "ErrImagePull"],
    ["has ended", container({ restartCount: 1 }), "has ended"],
    [
      "does not get past its beginning",
      { initContainerStatuses: [{ name: "init", restartCount: 2 }] },
      "container init has ended",
    ],
  ])("stops the rest when it %s", async (_, status, why) => {
    const pods = [fresh("a", { isReady: false, status: { conditions: [], ...status } }), old("b")];
    const { decided } = await decide(pods, { desired: { web: 2 } });
    expect(decided).toMatchObject({
      kind: "stopped",
      pod: { metadata: { name: "a" } },
      why: expect.stringContaining(why),
      left: 1,
    });
  });

  test("is not taken for one that started with other content and fails", async () => {
    const status = container({ state: { waiting: { reason: "CrashLoopBackOff" } } });
    const pods = [
      old("a", { isReady: false, status: { conditions: [], ...status } }),
      fresh("b", { isReady: false }),
    ];
    expect(await evicts(pods, { desired: { web: 2 } })).toBe("wait");
  });

  test("is given a minute, when nothing says that it failed", async () => {
    const starting = container({ state: { waiting: { reason: "ContainerCreating" } } });
    const pods = [
      fresh("a", { isReady: false, status: { conditions: [], ...starting } }),
      old("b"),
    ];
    const at = (now: number) => decide(pods, { desired: { web: 2 }, now });
    expect((await at(CHANGED_AT + 59)).decided.kind).toBe("wait");
    expect((await at(CHANGED_AT + 60)).decided).toMatchObject({
      kind: "stopped",
      why: "not Ready 60 s after it was made",
    });
  });

  test("is evicted itself when the content changes again", async () => {
    const pods = [old("a", { isReady: false, createdAt: 50 }), old("b", { createdAt: 1 })];
    expect(await evicts(pods, { desired: { web: 2 } })).toEqual(["a"]);
  });
});
