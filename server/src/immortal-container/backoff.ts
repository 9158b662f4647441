const FIRST_BACKOFF_SECONDS = 10;
const MAX_BACKOFF_SECONDS = 300;

/** A container that ran this long is taken for well: the next end of it is a first one. */
const WELL_AFTER_MS = 600_000;

/**
 * How long a pod that has ended waits to be replaced, and how long the one after it will, in seconds: 0, 10, 20, 40, ... 300.
 * The same as the kubelet's: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
 * @param backoffSeconds what the pod was to wait, should it end soon
 * @param ranMs how long its container ran
 */
export const toBackoff = (
  backoffSeconds: number,
  ranMs: number,
): { waitSeconds: number; nextSeconds: number } => {
  const waitSeconds = ranMs < WELL_AFTER_MS ? backoffSeconds : 0;
  const nextSeconds =
    waitSeconds === 0 ? FIRST_BACKOFF_SECONDS : Math.min(2 * waitSeconds, MAX_BACKOFF_SECONDS);
  return { waitSeconds, nextSeconds };
};
