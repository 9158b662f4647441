import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { cacheDir, cacheKey } from "./cache.ts";
import { report } from "./progress.ts";

const RETRY_INTERVAL_MS = 500;

/**
 * Runs the action while no other process does that shares the cache folder, and with it the engine and
 * the cluster. The lock is an abstract socket, which the kernel lets go when its owner ends in whatever
 * way; elsewhere than on Linux, where nothing is built, there is no lock.
 */
export async function withLock<T>(action: () => Promise<T>): Promise<T> {
  if (process.platform !== "linux") return action();
  const name = `\0python-lambda-operator-${cacheKey([cacheDir()])}`;
  for (let waits = 0; ; waits += 1) {
    const lock = createServer();
    try {
      await once(lock.listen(name), "listening");
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EADDRINUSE") throw cause;
      if (waits === 0) report("waiting for another run to end ...");
      await sleep(RETRY_INTERVAL_MS);
      continue;
    }
    try {
      return await action();
    } finally {
      lock.close();
    }
  }
}
