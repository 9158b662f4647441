import type { Pod } from "./schema.ts";

/** Whether a pod is to go on: it neither ends nor has ended. */
export const isLiving = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  status.phase !== "Succeeded" &&
  status.phase !== "Failed";

export const isReady = ({ status }: Pod): boolean =>
  status.conditions.some(({ type, status }) => type === "Ready" && status === "True");

/** What makes a pod anew when it is gone; undefined when nothing does. */
export const controllerOf = ({ metadata }: Pod) =>
  metadata.ownerReferences.find(({ controller }) => controller);

/** How long a new pod may take to become Ready before that is called a failure. */
const READY_DEADLINE_SECONDS = 60;

const STARTING = ["ContainerCreating", "PodInitializing"];

/** Why a pod that is not Ready is not about to be: a few words; undefined while it may just be starting. */
export const failureOf = ({ metadata, status }: Pod, nowSeconds: number): string | undefined => {
  for (const { name, state, restartCount } of [
    ...status.initContainerStatuses,
    ...status.containerStatuses,
  ]) {
    const reason = state.waiting?.reason;
    if (reason !== undefined && !STARTING.includes(reason)) {
      return `container ${name}: ${reason}`;
    }
    if (restartCount > 0) {
      return `container ${name} has ended and been started again`;
    }
  }
  const ageSeconds = nowSeconds - metadata.creationTimestamp;
  return ageSeconds >= READY_DEADLINE_SECONDS
    ? `not Ready ${READY_DEADLINE_SECONDS} s after it was made`
    : undefined;
};
