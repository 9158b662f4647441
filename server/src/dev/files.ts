import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { combine } from "./lambdas.ts";
import { type Manifest, parseManifest } from "./manifest.ts";

const EXTENSIONS = [".yaml", ".yml"];

/** What the paths hold now: files are read as they are named, folders for all their YAML files. */
export const readManifests = async (paths: readonly string[]): Promise<Manifest> =>
  combine(await Promise.all(paths.map(readPath)));

const readPath = async (path: string): Promise<Manifest> => {
  try {
    const files = (await stat(path)).isDirectory() ? await yamlFiles(path) : [path];
    const manifests = await Promise.all(
      files.map(async (file) => parseManifest(file, await readFile(file, "utf8"))),
    );
    const lambdas = manifests.flatMap((manifest) => manifest.lambdas);
    const problems = manifests.flatMap((manifest) => manifest.problems);
    return lambdas.length + problems.length === 0
      ? { lambdas, problems: [{ file: path, message: "there is no PythonLambda in it" }] }
      : { lambdas, problems };
  } catch (error) {
    return { lambdas: [], problems: [{ file: path, message: readError(error) }] };
  }
};

const yamlFiles = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder);
  return names
    .filter((name) => EXTENSIONS.includes(extname(name)))
    .sort()
    .map((name) => join(folder, name));
};

const readError = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOENT" ? "there is no such file or folder" : `cannot be read: ${message}`;
};

/** The folders in which a change may be one of what the paths hold. Editors replace a file, so its folder is watched. */
export const foldersOf = async (paths: readonly string[]): Promise<string[]> => {
  const folders = await Promise.all(
    paths.map(async (path) => {
      const found = await stat(path).catch(() => undefined);
      return found?.isDirectory() ? path : dirname(path);
    }),
  );
  return [...new Set(folders)];
};
