import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { cached, cacheKey } from "../toolchain/cache.ts";
import { withLock } from "../toolchain/lock.ts";
import { run } from "../toolchain/spawn.ts";

const MODULE = join(import.meta.dirname, "helm-unittest");

/** Builds helm-unittest, of the version in its module, or finds it in the cache. @returns the command's path. */
export const ensureHelmUnittest = (): Promise<string> =>
  withLock(async () => {
    const files = ["go.mod", "go.sum"].map((name) => readFile(join(MODULE, name), "utf8"));
    const version = await run("go", ["env", "GOVERSION", "GOOS", "GOARCH"]);
    const key = cacheKey([await Promise.all(files), version]);
    const folder = await cached("helm-unittest", key, async (dir) => {
      const build = [
        "build",
        "-trimpath",
        "-buildvcs=false",
        "-ldflags=-s -w",
        `-o=${dir}/`,
        "tool",
      ];
      await run("go", build, { cwd: MODULE, env: { CGO_ENABLED: "0", GOFLAGS: "-mod=readonly" } });
    });
    return join(folder, "helm-unittest");
  });
