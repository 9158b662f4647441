import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished } from "vitest";
import { OPERATOR_NAMESPACE, OPERATOR_RELEASE } from "../stack/stack.ts";
import { answers, askAllTheTime, inNamespace, type Namespace, test } from "./fixture.ts";
import {
  APART_MS,
  applyFrontend,
  change,
  evictions,
  expectReplaced,
  isPodReady,
  livingPods,
  SETTLE_MS,
  settles,
  uidsOf,
} from "./frontend.ts";

const operator = inNamespace(OPERATOR_NAMESPACE);
const metacontroller = inNamespace("metacontroller");
const RELOADER = `deployment/${OPERATOR_RELEASE}-configmap-reloader`;

/** Takes all pods of a workload away until the test is over or what it returns is called. */
const takeDown = async (ns: Namespace, workload: string): Promise<() => Promise<void>> => {
  const { spec } = await ns.get(workload);
  const selector = Object.entries(spec.selector.matchLabels).map(
    ([key, value]) => `${key}=${value}`,
  );
  const bringBack = async () => {
    await ns.run(["scale", workload, `--replicas=${spec.replicas}`]);
    await ns.run(["rollout", "status", workload, "--timeout=2m"]);
  };
  onTestFinished(bringBack);
  await ns.run(["scale", workload, "--replicas=0"]);
  await ns.run(["wait", "pods", `--selector=${selector}`, "--for=delete", "--timeout=1m"]);
  return bringBack;
};

describe("while the reloader is down", () => {
  test("a change is not lost: pods from before it are restarted, one from after it is not, no request fails", async ({
    ns,
  }) => {
    const frontend = await applyFrontend(ns);
    const stop = askAllTheTime(frontend.host);
    const bringBack = await takeDown(operator, RELOADER);
    await ns.run(["scale", "deployment/frontend", "--replicas=4"]);
    await ns.becomes("pods", ({ items }) => items.length === 4 && items.every(isPodReady));
    await sleep(APART_MS);
    await change(ns, { MESSAGE: "Good evening" });
    await sleep(APART_MS);
    const before = uidsOf(await livingPods(ns));
    await ns.run(["scale", "deployment/frontend", "--replicas=5"]);
    await ns.becomes("pods", ({ items }) => items.length === 5 && items.every(isPodReady));
    const younger = uidsOf(await livingPods(ns)).find((uid) => !before.includes(uid));
    await bringBack();
    const after = uidsOf(await settles(ns, 5));
    expect(after.filter((uid) => before.includes(uid))).toEqual([]);
    expect(after).toContain(younger);
    expect(await evictions(ns)).toBe(4);
    await answers("/", { host: frontend.host }, (_, body) => body === "Good evening");
    expect(Object.keys(await stop()).toSorted()).toEqual(["200 Good evening", "200 Good morning"]);
  });
});

describe("while Metacontroller is down", () => {
  test("a change is not lost, and no request fails", async ({ ns }) => {
    const frontend = await applyFrontend(ns);
    const stop = askAllTheTime(frontend.host);
    const bringBack = await takeDown(metacontroller, "statefulset/metacontroller");
    await change(ns, { MESSAGE: "Good evening" });
    await sleep(SETTLE_MS);
    expect(uidsOf(await livingPods(ns)).toSorted()).toEqual(uidsOf(frontend.pods).toSorted());
    await bringBack();
    await expectReplaced(ns, frontend, "Good evening");
    expect(await evictions(ns)).toBe(3);
    expect(Object.keys(await stop()).toSorted()).toEqual(["200 Good evening", "200 Good morning"]);
  });
});
