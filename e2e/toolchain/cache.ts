import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { step } from "./progress.ts";

/** The folder that keeps everything built: `python-lambda-operator` in the user's cache folder. */
export function cacheDir(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "python-lambda-operator");
}

/** A short key of everything that a part is built from; the order of the inputs counts. */
export function cacheKey(inputs: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(inputs)).digest("hex").slice(0, 12);
}

/**
 * A folder that is built once a key: built under a temporary name and renamed when it is whole, so a
 * build that was cut off is never taken for a whole one.
 *
 * @param build fills the (empty) folder that it is given; the second is where that will be when whole.
 * @returns the path of the folder.
 */
export async function cached(
  name: string,
  key: string,
  build: (dir: string, finalDir: string) => Promise<void>,
): Promise<string> {
  const parts = join(cacheDir(), "parts");
  const whole = join(parts, `${name}-${key}`);
  if (existsSync(whole)) return whole;
  await removeCutOff(parts, name);
  const unfinished = join(parts, `${unfinishedPrefix(name)}${key}`);
  await mkdir(unfinished, { recursive: true });
  await step(name, () => build(unfinished, whole));
  await rename(unfinished, whole);
  return whole;
}

async function removeCutOff(parts: string, name: string): Promise<void> {
  const entries = existsSync(parts) ? await readdir(parts) : [];
  const cutOff = entries.filter((entry) => entry.startsWith(unfinishedPrefix(name)));
  await Promise.all(
    cutOff.map((entry) => rm(join(parts, entry), { recursive: true, force: true })),
  );
}

function unfinishedPrefix(name: string): string {
  return `unfinished.${name}.`;
}
