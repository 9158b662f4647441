import type { Pod } from "./schema.ts";

/** What an Event about a ConfigMap says. */
export interface Report {
  type: "Normal" | "Warning";
  reason: string;
  message: string;
}

/** Event messages are at most 1 KiB, so of many pods the first are named. */
const MAX_NAMED_PODS = 5;

const namesOf = (pods: readonly Pod[]): string => {
  const named = pods.slice(0, MAX_NAMED_PODS).map(({ metadata }) => metadata.name);
  const more = pods.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

export const refused = (problems: readonly string[]): Report => ({
  type: "Warning",
  reason: "InvalidAnnotation",
  message: `No pod is restarted: ${problems.join("; ")}`.slice(0, 1000),
});

export const evicted = (pod: Pod, hash: string): Report => ({
  type: "Normal",
  reason: "Evicted",
  message: `Evicted pod ${pod.metadata.name}, which started with other content than that of now, ${hash}`,
});

export const evictionRefused = (pod: Pod, why: string): Report => ({
  type: "Warning",
  reason: "EvictionRefused",
  message: `Pod ${pod.metadata.name} may not be evicted now; it is tried again: ${why}`,
});

export const stopped = (pod: Pod, why: string, left: number, hash: string): Report => ({
  type: "Warning",
  reason: "Stopped",
  message:
    `Pod ${pod.metadata.name}, which has the new content, ${hash}, is not Ready (${why}). ` +
    `${left} more to be restarted are kept until it is, or the content changes`,
});

export const wouldEvict = (pods: readonly Pod[], hash: string): Report => ({
  type: "Normal",
  reason: "DryRun",
  message: `Would evict, for they started with other content than that of now, ${hash}: ${namesOf(pods)}`,
});

export const leftAlone = (pods: readonly Pod[]): Report => ({
  type: "Warning",
  reason: "NotRestarted",
  message: `No ReplicaSet, StatefulSet or DaemonSet would make these anew, so they keep the content that they started with: ${namesOf(pods)}`,
});
