import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { ensureApt } from "./apt.ts";
import { cached, cacheKey } from "./cache.ts";
import {
  buildArguments,
  GO_MODULES,
  type GoModule,
  type GoModuleName,
  requiredVersion,
} from "./modules.ts";
import { run } from "./spawn.ts";
import { together } from "./together.ts";

/**
 * Builds Go modules, two at a time (one compiles while another links), or finds them in the cache.
 *
 * @returns by name, the folder of the binaries, with the folders that the module brings beside them.
 * @throws the first failure, when what runs beside it has ended.
 */
export async function buildModules<Name extends GoModuleName>(
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const toolchain = names.length === 0 ? "" : await goToolchain();
  const queue = [...names];
  const dirs: Partial<Record<Name, string>> = {};
  const work = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      try {
        dirs[name] = await buildModule(name, toolchain);
      } catch (cause) {
        queue.length = 0;
        throw cause;
      }
    }
  };
  await together(work(), work());
  return dirs as Record<Name, string>;
}

async function buildModule(name: GoModuleName, toolchain: string): Promise<string> {
  const module: GoModule = GO_MODULES[name];
  const cwd = join(import.meta.dirname, "modules", name);
  const goMod = await readFile(join(cwd, "go.mod"), "utf8");
  const goSum = await readFile(join(cwd, "go.sum"), "utf8");
  const version = requiredVersion(goMod, module.path);
  const key = cacheKey([buildArguments(module, version, ""), module, goMod, goSum, toolchain]);
  return cached(name, key, async (dir) => {
    await ensureApt(module.aptPackages ?? []);
    const env = { CGO_ENABLED: module.cgo ? "1" : "0", GOFLAGS: "-mod=readonly" };
    await run("go", buildArguments(module, version, dir), { cwd, env });
    if (module.rename) await rename(join(dir, module.rename[0]), join(dir, module.rename[1]));
    for (const [from, to] of Object.entries(module.folders ?? {})) {
      const source = await run("go", ["list", "-m", "-f={{.Dir}}", module.path], { cwd, env });
      await run("cp", ["-R", "--no-preserve=mode", join(source, from), join(dir, to)]);
    }
  });
}

async function goToolchain(): Promise<string> {
  try {
    return await run("go", ["env", "GOVERSION", "GOOS", "GOARCH"]);
  } catch (cause) {
    throw new Error(
      "Go is missing: the cluster's parts are built with it. Install it (https://go.dev/dl) and put it on PATH.",
      { cause },
    );
  }
}
