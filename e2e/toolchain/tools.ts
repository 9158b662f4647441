import { constants } from "node:fs";
import { access, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { buildModules } from "./build-modules.ts";
import { cached, cacheKey } from "./cache.ts";
import type { GoModuleName } from "./modules.ts";
import { buildPythonTools } from "./python-tools.ts";

/** The commands that the cluster and the tests call, and what each is built from where it is missing. */
const COMMANDS = {
  docker: "docker",
  kind: "kind",
  kubectl: "kubernetes",
  helm: "helm",
  "helm-unittest": "helm-unittest",
  ct: "chart-testing",
  kubeconform: "kubeconform",
  "kube-score": "kube-score",
  yamllint: "python-tools",
  yamale: "python-tools",
} as const satisfies Record<string, GoModuleName | "python-tools">;

export type Command = keyof typeof COMMANDS;

const PATH_AT_START = process.env.PATH ?? "";

/** All commands: see `ensureCommands`. */
export function ensureTools({ fromSource = false } = {}): Promise<string> {
  return ensureCommands(Object.keys(COMMANDS) as Command[], { fromSource });
}

/**
 * Makes sure that these commands can be called by name: those on PATH, the others built.
 *
 * @param fromSource builds all, whatever is on PATH; but `docker`, which goes with the engine that is there.
 * @returns the folder of what was built; it is now first on this process's PATH.
 */
export async function ensureCommands(
  commands: readonly Command[],
  { fromSource = false } = {},
): Promise<string> {
  const onPath = await Promise.all(commands.map(isOnPath));
  const missing = commands.filter(
    (name, index) => !onPath[index] || (fromSource && name !== "docker"),
  );
  const modules = new Set(missing.map((name) => COMMANDS[name]));
  const dirs: Record<string, string> = await buildModules(
    [...modules].filter((name) => name !== "python-tools"),
  );
  if (modules.has("python-tools")) dirs["python-tools"] = join(await buildPythonTools(), "bin");
  const links = missing.map((name) => [name, join(dirs[COMMANDS[name]] ?? "", name)] as const);
  const binDir = await cached("bin", cacheKey(links), async (dir) => {
    for (const [name, target] of links) await symlink(target, join(dir, name));
  });
  process.env.PATH = [binDir, process.env.PATH].join(delimiter);
  return binDir;
}

async function isOnPath(command: string): Promise<boolean> {
  const folders = PATH_AT_START.split(delimiter);
  const found = folders.map((folder) =>
    access(join(folder, command), constants.X_OK).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(found)).includes(true);
}
