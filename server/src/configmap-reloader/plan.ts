import type { Assessment } from "./assess.ts";
import type { Options } from "./options.ts";
import { controllerOf, failureOf, isLiving, isReady } from "./pods.ts";
import type { Pod } from "./schema.ts";

/** What to do about the pods that started with other content. */
export type Plan =
  /** There is none. */
  | { kind: "done" }
  /** Evict these, one after the other. */
  | { kind: "evict"; pods: readonly Pod[] }
  /** Nothing now: pods become Ready, or the content has just changed. Look again after a time at the latest. */
  | { kind: "wait"; seconds: number }
  /** Nothing until this pod, which has the new content, is Ready or the content changes. */
  | { kind: "stopped"; pod: Pod; why: string; left: number }
  /** Nothing, for it is a dry run: these would be evicted. */
  | { kind: "report"; pods: readonly Pod[] };

/** How many pods each controller is to have, by its UID. A pod of any other controller, or of none, does not come back. */
export type DesiredPods = ReadonlyMap<string, number>;

const WAIT_SECONDS = 5;

/**
 * Decides what to do next.
 * @param pods all pods of the namespace: a controller may have some that the ConfigMap does not select.
 */
export const plan = (
  assessment: Assessment,
  { maxUnavailable, debounceSeconds, dryRun }: Options,
  pods: readonly Pod[],
  desired: DesiredPods,
  nowSeconds: number,
): Plan => {
  const stale = stalePods(assessment).filter((pod) => comesBack(pod, desired));
  if (stale.length === 0) {
    return { kind: "done" };
  }
  if (dryRun) {
    return { kind: "report", pods: stale };
  }
  const quietSeconds = nowSeconds - assessment.changedAtSeconds;
  if (quietSeconds < debounceSeconds) {
    return { kind: "wait", seconds: debounceSeconds - quietSeconds };
  }
  const slots = maxUnavailable - missingPods(assessment, pods, desired);
  if (slots > 0) {
    return { kind: "evict", pods: stale.toSorted(byUrgency).slice(0, slots) };
  }
  for (const { pod, startedWith } of assessment.pods) {
    const why = isReady(pod) ? undefined : failureOf(pod, nowSeconds);
    if (startedWith === assessment.hash && why !== undefined) {
      return { kind: "stopped", pod, why, left: stale.length };
    }
  }
  return { kind: "wait", seconds: WAIT_SECONDS };
};

/** The pods that started with other content and that nothing would make anew: they are left alone. */
export const podsLeftAlone = (assessment: Assessment, desired: DesiredPods): Pod[] =>
  stalePods(assessment).filter((pod) => !comesBack(pod, desired));

const stalePods = ({ hash, pods }: Assessment): Pod[] =>
  pods.filter(({ startedWith }) => startedWith !== hash).map(({ pod }) => pod);

const comesBack = (pod: Pod, desired: DesiredPods): boolean =>
  desired.has(controllerOf(pod)?.uid ?? "");

/**
 * How many pods the controllers of the selected pods lack. One that is not Ready and is to be evicted does not count: it
 * serves nobody, and what it waits for may just be the new content.
 */
const missingPods = (
  assessment: Assessment,
  pods: readonly Pod[],
  desired: DesiredPods,
): number => {
  const stale = new Set(stalePods(assessment).map(({ metadata }) => metadata.uid));
  const isStanding = (pod: Pod) => isLiving(pod) && (isReady(pod) || stale.has(pod.metadata.uid));
  const controllers = new Set(assessment.pods.map(({ pod }) => controllerOf(pod)?.uid ?? ""));
  const missing = [...controllers].map((uid) => {
    const standing = pods.filter((pod) => controllerOf(pod)?.uid === uid && isStanding(pod));
    return Math.max(0, (desired.get(uid) ?? 0) - standing.length);
  });
  return missing.reduce((sum, count) => sum + count, 0);
};

/** Those that are not Ready first: they cost nothing. Then the oldest. */
const byUrgency = (a: Pod, b: Pod): number =>
  Number(isReady(a)) - Number(isReady(b)) ||
  a.metadata.creationTimestamp - b.metadata.creationTimestamp ||
  (a.metadata.name < b.metadata.name ? -1 : 1);
