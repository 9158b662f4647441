import type { CompositeResponse, ObservedObjects } from "../metacontroller/protocol.ts";
import { toBackoff } from "./backoff.ts";
import { type End, endOf, type Inheritance, inheritanceOf, toObserved } from "./observed.ts";
import { pod } from "./resources.ts";
import type { ImmortalContainer, ImmortalContainerStatus } from "./schema.ts";
import { toStatus } from "./status.ts";

interface SyncRequest {
  parent: ImmortalContainer;
  children: ObservedObjects;
}

/** The status write that a sync has asked for brings the next one; this is for when it does not. */
const MIN_RESYNC_SECONDS = 1;

/**
 * The pod that an ImmortalContainer should have, and its status. A pod that has ended is left out, and so deleted, when its
 * backoff is over; the next sync finds no pod and asks for a new one.
 * @param nowMs the time of the call, in milliseconds since 1970
 */
export const sync = ({ parent, children }: SyncRequest, nowMs: number): CompositeResponse => {
  const observed = toObserved(parent.metadata.name, children);
  const status = toStatus(parent, observed);
  if (observed.pod === undefined) {
    return { status, children: [pod(parent, inheritanceFrom(parent.status))] };
  }
  const inherited = inheritanceOf(observed.pod);
  const kept = [pod(parent, inherited)];
  const end = endOf(observed.pod);
  if (end === undefined) {
    return { status, children: kept };
  }
  const waitSeconds = secondsLeft(end, inherited.backoffSeconds, nowMs);
  return waitSeconds === 0 && isRecorded(status, parent.status)
    ? { status, children: [] }
    : { status, children: kept, resyncAfterSeconds: Math.max(waitSeconds, MIN_RESYNC_SECONDS) };
};

const inheritanceFrom = ({ restarts, backoffSeconds }: ImmortalContainerStatus): Inheritance => ({
  restarts: restarts === undefined ? 0 : restarts + 1,
  backoffSeconds: backoffSeconds ?? 0,
});

/** How much of its backoff a pod that has ended has left. A node's clock that is ahead of ours makes it no longer. */
const secondsLeft = ({ atMs, ranMs }: End, backoffSeconds: number, nowMs: number): number => {
  const { waitSeconds } = toBackoff(backoffSeconds, ranMs);
  const elapsedSeconds = Math.max(nowMs - atMs, 0) / 1000;
  return Math.max(waitSeconds - elapsedSeconds, 0);
};

/** Whether the status that is stored has what the next pod inherits, so that the pod can go. */
const isRecorded = (status: ImmortalContainerStatus, stored: ImmortalContainerStatus): boolean =>
  stored.restarts === status.restarts && stored.backoffSeconds === status.backoffSeconds;
