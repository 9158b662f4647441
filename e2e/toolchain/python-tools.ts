import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureApt } from "./apt.ts";
import { cached, cacheKey } from "./cache.ts";
import { run, succeeds } from "./spawn.ts";

/**
 * Installs python-tools/requirements.txt into a virtual environment, or finds it in the cache.
 *
 * @returns the folder of the environment.
 */
export async function buildPythonTools(): Promise<string> {
  const requirements = join(import.meta.dirname, "python-tools", "requirements.txt");
  if (!(await succeeds("python3", ["-c", "import ensurepip, venv"]))) {
    await ensureApt(["python3", "python3-venv"]);
  }
  const key = cacheKey([await readFile(requirements, "utf8"), await run("python3", ["--version"])]);
  return cached("python-tools", key, async (dir, finalDir) => {
    await run("python3", ["-m", "venv", dir]);
    await run(join(dir, "bin", "pip"), ["install", "--quiet", "--requirement", requirements]);
    await move(join(dir, "bin"), dir, finalDir);
  });
}

/** Environments name their own place in the first line of each script. */
async function move(binDir: string, from: string, to: string): Promise<void> {
  for (const entry of await readdir(binDir, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(binDir, entry.name);
    await writeFile(path, (await readFile(path, "utf8")).replaceAll(from, to));
  }
}
