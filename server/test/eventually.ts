import { setTimeout as sleep } from "node:timers/promises";

const WAIT_TIMEOUT_MS = 20_000;
const POLL_MS = 20;

/** Asks again until the answer is not undefined; fails with what `describe` tells when that takes too long. */
export const eventually = async <T>(
  ask: () => T | undefined | Promise<T | undefined>,
  describe: () => string,
  timeoutMs = WAIT_TIMEOUT_MS,
): Promise<T> => {
  const deadlineMs = Date.now() + timeoutMs;
  while (Date.now() < deadlineMs) {
    const answer = await ask();
    if (answer !== undefined) {
      return answer;
    }
    await sleep(POLL_MS);
  }
  throw new Error(`not so within ${timeoutMs} ms: ${describe()}`);
};
