import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { cached, cacheKey } from "./cache.ts";
import { ensureDebianImage, ensureImage, readRecipe } from "./images.ts";
import { run } from "./spawn.ts";

/**
 * Makes what the project's Dockerfiles start from where their published bases cannot be pulled.
 *
 * @returns the names of an image with Python 3 and pip, and of one with the running Node and npm.
 */
export async function ensureBaseImages(): Promise<{ python: string; node: string }> {
  const base = await ensureDebianImage();
  const python = await ensureImage({
    name: "python",
    dockerfile: await readRecipe("python", "Dockerfile"),
    buildArgs: { BASE: base },
  });
  const node = await ensureImage({
    name: "node",
    dockerfile: await readRecipe("node", "Dockerfile"),
    buildArgs: { BASE: base, NODE_VERSION: process.version },
    copies: {
      "bin/node": join(await keepNode(), "node"),
      node_modules: join(await installNpm(), "node_modules"),
    },
  });
  return { python, node };
}

/** The Node that runs this, at a path that is the same for every checkout: images are known by it. */
function keepNode(): Promise<string> {
  return cached("node", cacheKey([process.version, process.arch]), async (dir) => {
    await run("cp", [process.execPath, join(dir, "node")]);
  });
}

async function installNpm(): Promise<string> {
  const source = join(import.meta.dirname, "images", "node");
  const lock = await readFile(join(source, "package-lock.json"), "utf8");
  return cached("npm", cacheKey([lock]), async (dir) => {
    const files = ["package.json", "package-lock.json"].map((name) => join(source, name));
    await run("cp", [...files, dir]);
    await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: dir });
  });
}
