import { setTimeout as sleep } from "node:timers/promises";

const INTERVAL_MS = 200;

/**
 * Waits until the condition holds, asking again and again.
 *
 * @returns false where it did not hold in time.
 */
export async function becomes(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(INTERVAL_MS)) {
    if (await condition()) return true;
  }
  return false;
}
