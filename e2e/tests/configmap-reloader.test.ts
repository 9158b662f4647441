import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished } from "vitest";
import { askAllTheTime, type Got, images, inNamespace, type Namespace, test } from "./fixture.ts";
import {
  ANNOTATION,
  APART_MS,
  applyFrontend,
  change,
  evictions,
  expectReplaced,
  hashOf,
  isLiving,
  isPodReady,
  LOOK_PAUSE_MS,
  livingPods,
  recordOf,
  reports,
  SETTLE_MS,
  seenOf,
  settles,
  uidsOf,
} from "./frontend.ts";

/** How few pods were Ready at a time, until stopped. */
const watchReadiness = (ns: Namespace) => {
  let fewest = Number.POSITIVE_INFINITY;
  let isStopped = false;
  const loop = (async () => {
    while (!isStopped) {
      fewest = Math.min(fewest, (await livingPods(ns)).filter(isPodReady).length);
      await sleep(LOOK_PAUSE_MS);
    }
  })();
  return async () => {
    isStopped = true;
    await loop;
    return fewest;
  };
};

describe.concurrent("a ConfigMap that names its pods", () => {
  test("restarts them one by one when its content changes, and no request fails", async ({
    ns,
  }) => {
    const frontend = await applyFrontend(ns);
    const [stop, stopWatching] = [askAllTheTime(frontend.host), watchReadiness(ns)];
    const startedMs = Date.now();
    await change(ns, { MESSAGE: "Good evening" });
    const after = await expectReplaced(ns, frontend, "Good evening");
    const seconds = (Date.now() - startedMs) / 1000;
    const seen = await stop();
    expect(await stopWatching()).toBe(2);
    expect(Object.keys(seen).toSorted()).toEqual(["200 Good evening", "200 Good morning"]);
    expect(await evictions(ns)).toBe(3);
    process.stdout.write(`three pods restarted in ${seconds} s: ${JSON.stringify(seen)}\n`);

    await ns.run(["label", "configmap/frontend", "a=b"]);
    await ns.run(["annotate", "configmap/frontend", "c=d"]);
    await sleep(SETTLE_MS);
    expect(uidsOf(await livingPods(ns)).toSorted()).toEqual(uidsOf(after).toSorted());
  });

  test("that changes back before all are restarted keeps those that started with that content", async ({
    ns,
  }) => {
    const { pods } = await applyFrontend(ns);
    await change(ns, { MESSAGE: "Good evening" });
    await reports(ns, "Evicted");
    await change(ns, { MESSAGE: "Good morning" });
    const after = uidsOf(await settles(ns, 3));
    expect(uidsOf(pods).filter((uid) => after.includes(uid))).toHaveLength(2);
  });

  test("that is deleted and made again restarts them for other content, and not for the same", async ({
    ns,
  }) => {
    const frontend = await applyFrontend(ns);
    const again = async (data: object) => {
      await ns.run(["delete", "configmap/frontend"]);
      const annotations = { [ANNOTATION]: "app=frontend" };
      const metadata = { name: "frontend", annotations };
      await ns.apply({ apiVersion: "v1", kind: "ConfigMap", metadata, data });
    };
    await again({ MESSAGE: "Good morning", PORT: "8080" });
    const kept = await settles(ns, 3);
    expect(uidsOf(kept).toSorted()).toEqual(uidsOf(frontend.pods).toSorted());
    await again({ MESSAGE: "Good night", PORT: "8080" });
    await expectReplaced(ns, frontend, "Good night");
  });

  test("evicts none while a budget allows none, says why, and goes on when the budget goes", async ({
    ns,
  }) => {
    const frontend = await applyFrontend(ns);
    await ns.apply({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "all" },
      spec: { minAvailable: 3, selector: { matchLabels: { app: "frontend" } } },
    });
    await ns.becomes("poddisruptionbudget/all", ({ status }) => status?.expectedPods === 3);
    await change(ns, { MESSAGE: "Good evening" });
    const message = await reports(ns, "EvictionRefused");
    expect(message).toContain("disruption budget");
    await sleep(SETTLE_MS);
    expect(uidsOf(await livingPods(ns)).toSorted()).toEqual(uidsOf(frontend.pods).toSorted());
    await ns.run(["delete", "poddisruptionbudget/all"]);
    await expectReplaced(ns, frontend, "Good evening");
  });

  test("whose new content is broken stops after the first pod, and goes on when it is mended", async ({
    ns,
  }) => {
    const frontend = await applyFrontend(ns);
    const stop = askAllTheTime(frontend.host);
    await change(ns, { PORT: "eighty" });
    const message = await reports(ns, "Stopped");
    expect(message).toContain("2 more to be restarted are kept");
    await sleep(SETTLE_MS);
    const kept = uidsOf(await livingPods(ns)).filter((uid) => uidsOf(frontend.pods).includes(uid));
    expect(kept).toHaveLength(2);
    await change(ns, { PORT: "8080", MESSAGE: "Good evening" });
    await expectReplaced(ns, frontend, "Good evening");
    expect(Object.keys(await stop()).toSorted()).toEqual(["200 Good evening", "200 Good morning"]);
  });

  test("restarts for its keys alone, as many at a time as it says, when it has been quiet for long enough", async ({
    ns,
  }) => {
    const frontend = await applyFrontend(ns, {
      [`${ANNOTATION}.keys`]: "MESSAGE",
      [`${ANNOTATION}.maxUnavailable`]: "3",
      [`${ANNOTATION}.debounce`]: "10s",
    });
    const before = seenOf(await ns.get("configmap/frontend"));
    await sleep(APART_MS);
    await change(ns, { OTHER: "content" });
    const { metadata } = await ns.becomes(
      "configmap/frontend",
      (configMap) => seenOf(configMap).changedAtSeconds > before.changedAtSeconds,
    );
    expect(seenOf({ metadata }).hash).toBe(before.hash);
    await change(ns, { MESSAGE: "Good day" });
    await change(ns, { MESSAGE: "Good evening" });
    await expectReplaced(ns, frontend, "Good evening");
    expect(await evictions(ns)).toBe(3);
  });

  test("on a dry run says what it would do, and does it when that is over", async ({ ns }) => {
    const frontend = await applyFrontend(ns, { [`${ANNOTATION}.dryRun`]: "true" });
    await change(ns, { MESSAGE: "Good evening" });
    const message = await reports(ns, "DryRun");
    for (const { metadata } of frontend.pods) {
      expect(message).toContain(metadata.name);
    }
    await sleep(SETTLE_MS);
    expect(uidsOf(await livingPods(ns)).toSorted()).toEqual(uidsOf(frontend.pods).toSorted());
    await ns.run(["annotate", "configmap/frontend", `${ANNOTATION}.dryRun-`]);
    await expectReplaced(ns, frontend, "Good evening");
  });

  test("that cannot be read is refused with an Event that says why, restarts nothing, and others go on", async ({
    ns,
  }) => {
    const other = inNamespace(`${ns.namespace}-other`);
    onTestFinished(() =>
      other.run(["delete", "namespace", other.namespace, "--wait=false"]).then(),
    );
    await other.run(["create", "namespace", other.namespace]);
    const [frontend, elsewhere] = [await applyFrontend(ns), await applyFrontend(other)];
    const bad: [string, Record<string, string>, string][] = [
      ["empty", { "": "" }, `${ANNOTATION} is empty`],
      ["broken", { "": "app in (frontend" }, 'no requirement such as "app=frontend"'],
      ["wildcard", { "": "*" }, '"*" in "*" cannot be the key of a label'],
      ["none-at-a-time", { ".maxUnavailable": "0" }, '.maxUnavailable is "0"'],
      ["no-time", { ".debounce": "soon" }, '.debounce is "soon"'],
      ["maybe", { ".dryRun": "maybe" }, '.dryRun is "maybe"'],
      ["no-key", { ".keys": "a,,b" }, '.keys has ""'],
      ["misspelt", { ".maxUnavailible": "1" }, ".maxUnavailible is no option"],
    ];
    for (const [name, options] of bad) {
      const annotations: Record<string, string> = { [ANNOTATION]: "app=frontend" };
      for (const [option, value] of Object.entries(options)) {
        annotations[`${ANNOTATION}${option}`] = value;
      }
      const metadata = { name, annotations };
      await ns.apply({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1" } });
      await change(ns, { a: "2" }, name);
    }
    for (const [name, , message] of bad) {
      expect(await reports(ns, "InvalidAnnotation", name)).toContain(message);
    }
    expect(uidsOf(await livingPods(ns)).toSorted()).toEqual(uidsOf(frontend.pods).toSorted());
    await change(ns, { MESSAGE: "Good evening" });
    await expectReplaced(ns, frontend, "Good evening");
    expect(uidsOf(await livingPods(other)).toSorted()).toEqual(uidsOf(elsewhere.pods).toSorted());
  });
});

describe("of 20 ConfigMaps with 3 pods each", () => {
  test("one that changes restarts its own pods and no other", async ({ ns }) => {
    const names = Array.from({ length: 20 }, (_, index) => `many-${index}`);
    const objects = names.flatMap((name) => [
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, annotations: { [ANNOTATION]: `app in (${name})` } },
        data: { a: "1" },
      },
      sleepers(name),
    ]);
    await ns.apply({ apiVersion: "v1", kind: "List", items: objects });
    const isRecorded = (pod: Got) => recordOf(pod, pod.metadata.labels.app) !== undefined;
    const { items } = await ns.becomes(
      "pods",
      ({ items }) =>
        items.length === 60 && items.every((pod: Got) => isPodReady(pod) && isRecorded(pod)),
    );
    const startedMs = Date.now();
    await change(ns, { a: "2" }, "many-7");
    const hash = await hashOf(await ns.get("configmap/many-7"));
    const after = await ns.becomes("pods", ({ items }) => {
      const its = items.filter(isLiving).filter(isOf("many-7"));
      return (
        its.length === 3 &&
        its.every((pod: Got) => isPodReady(pod) && recordOf(pod, "many-7") === hash)
      );
    });
    const seconds = (Date.now() - startedMs) / 1000;
    process.stdout.write(`3 of 60 pods restarted in ${seconds} s\n`);
    await sleep(SETTLE_MS);
    const kept = uidsOf(after.items).filter((uid) => uidsOf(items).includes(uid));
    expect(kept).toHaveLength(57);
    expect(await evictions(ns)).toBe(3);
  });
});

const isOf =
  (app: string) =>
  ({ metadata }: Got): boolean =>
    metadata.labels.app === app;

/** Three pods that do nothing. */
const sleepers = (app: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: app },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app } },
    template: {
      metadata: { labels: { app } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: "sleeper", image: images.runtime, command: ["sleep", "infinity"] }],
      },
    },
  },
});
