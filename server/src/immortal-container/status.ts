import type { IPod } from "kubernetes-models/v1";
import type { Condition } from "../kubernetes/status.ts";
import { toBackoff } from "./backoff.ts";
import { containerStatus, endOf, inheritanceOf, isTerminating, type Observed } from "./observed.ts";
import type { ImmortalContainer, ImmortalContainerStatus } from "./schema.ts";

/** The status of an ImmortalContainer. The next pod reads in it what it inherits. */
export const toStatus = (
  { status }: ImmortalContainer,
  { podNames, pod }: Observed,
): ImmortalContainerStatus => ({
  currentPod: podNames.length === 1 ? podNames[0] : "",
  ...(pod === undefined ? record(status) : recordOf(pod, status)),
  conditions: [{ type: "Ready", ...readiness(pod) }],
});

const record = ({ restarts, backoffSeconds }: ImmortalContainerStatus) => ({
  ...(restarts === undefined ? {} : { restarts }),
  ...(backoffSeconds === undefined ? {} : { backoffSeconds }),
});

/** What is to be remembered of a pod when it is gone. */
const recordOf = (pod: IPod, before: ImmortalContainerStatus) => {
  const inherited = inheritanceOf(pod);
  const restarts = inherited.restarts + (containerStatus(pod)?.restartCount ?? 0);
  const end = endOf(pod);
  if (end) {
    return { restarts, backoffSeconds: toBackoff(inherited.backoffSeconds, end.ranMs).nextSeconds };
  }
  // One that is being deleted may have ended by itself before, which is remembered already.
  return isTerminating(pod) ? { restarts, ...record(before) } : { ...inherited, restarts };
};

const readiness = (pod: IPod | undefined): Omit<Condition, "type"> => {
  if (pod === undefined) {
    return notReady("Creating", "there is no pod; one is being made");
  }
  if (isTerminating(pod)) {
    return notReady("Terminating", "the pod is being deleted; a new one follows");
  }
  const end = endOf(pod);
  if (end) {
    const { waitSeconds } = toBackoff(inheritanceOf(pod).backoffSeconds, end.ranMs);
    const when = waitSeconds === 0 ? "at once" : `${waitSeconds} s after that`;
    return notReady("BackOff", `${end.why}; a new pod follows ${when}`);
  }
  const conditionOf = (wanted: string) =>
    pod.status?.conditions?.find(({ type }) => type === wanted);
  if (conditionOf("Ready")?.status === "True") {
    return { status: "True", reason: "Ready", message: "the container runs" };
  }
  const waiting = containerStatus(pod)?.state?.waiting;
  if (waiting?.reason) {
    return notReady(waiting.reason, waiting.message ?? "the container is about to start");
  }
  const scheduled = conditionOf("PodScheduled");
  return scheduled?.status === "False"
    ? notReady(scheduled.reason ?? "Unschedulable", scheduled.message ?? "no node takes the pod")
    : notReady("Starting", "the container is about to start");
};

const notReady = (reason: string, message: string) =>
  ({ status: "False", reason, message }) as const;
