import type { IContainerStatus, IPod } from "kubernetes-models/v1";
import { toMs } from "../kubernetes/times.ts";
import type { ObservedObjects } from "../metacontroller/protocol.ts";
import { BACKOFF_ANNOTATION, podName, RESTARTS_ANNOTATION } from "./names.ts";

/** What exists of an ImmortalContainer's children. */
export interface Observed {
  podNames: string[];
  pod: IPod | undefined;
}

/** Reads the children. Their inner shape is the API server's own, so it is taken at its word. */
export const toObserved = (name: string, children: ObservedObjects): Observed => {
  const pods = Object.values(children["Pod.v1"] ?? {});
  return {
    podNames: pods.map(({ metadata }) => metadata.name),
    pod: pods.find(({ metadata }) => metadata.name === podName(name)) as unknown as
      | IPod
      | undefined,
  };
};

export const isTerminating = ({ metadata }: IPod): boolean => Boolean(metadata?.deletionTimestamp);

export const containerStatus = ({ status }: IPod): IContainerStatus | undefined =>
  status?.containerStatuses?.[0];

/** What a pod carries from those before it. */
export interface Inheritance {
  /** How many times the container had been started again when the pod was made, this time included. */
  restarts: number;
  /** How long the pod is to wait to be replaced, should it end soon after its start. */
  backoffSeconds: number;
}

export const inheritanceOf = ({ metadata }: IPod): Inheritance => {
  const read = (annotation: string) =>
    Number.parseInt(metadata?.annotations?.[annotation] ?? "", 10) || 0;
  return { restarts: read(RESTARTS_ANNOTATION), backoffSeconds: read(BACKOFF_ANNOTATION) };
};

/** How a pod came to its end. */
export interface End {
  atMs: number;
  ranMs: number;
  why: string;
}

/** The end of a pod that has ended by itself; undefined for one that lives or is being deleted. */
export const endOf = (pod: IPod): End | undefined => {
  const { phase, reason, conditions = [], startTime } = pod.status ?? {};
  if (isTerminating(pod) || (phase !== "Succeeded" && phase !== "Failed")) {
    return undefined;
  }
  const terminated = containerStatus(pod)?.state?.terminated;
  const startedMs = toMs(terminated?.startedAt);
  const finishedMs = toMs(terminated?.finishedAt);
  // A pod that never ran a container tells its end by its conditions, or not at all.
  const times = [
    ...conditions.map(({ lastTransitionTime }) => lastTransitionTime),
    startTime,
    pod.metadata?.creationTimestamp,
  ].map((time) => toMs(time) ?? 0);
  return {
    atMs: finishedMs ?? Math.max(...times),
    // A container that could not be started has 1970 as its start.
    ranMs: startedMs && finishedMs ? finishedMs - startedMs : 0,
    why: reason
      ? `the pod has failed: ${reason}`
      : `the container has ended with exit code ${terminated?.exitCode ?? "unknown"}`,
  };
};
