import { readFile, readlink } from "node:fs/promises";

/** True if a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * The id in a pid file, if that process lives and runs a program of this name; undefined for a stale
 * file, even where its id has gone to another process since.
 */
export async function livingProcess(pidFile: string, program: string): Promise<number | undefined> {
  const pid = Number(await readFile(pidFile, "utf8").catch(() => ""));
  if (!(pid > 0)) return undefined;
  const executable = await readlink(`/proc/${pid}/exe`).catch(() => "");
  return executable.replace(/ \(deleted\)$/, "").endsWith(`/${program}`) ? pid : undefined;
}
