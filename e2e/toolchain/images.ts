import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ensureApt } from "./apt.ts";
import { cached, cacheKey } from "./cache.ts";
import { step } from "./progress.ts";
import { run, succeeds } from "./spawn.ts";

/** What `docker build` gets: all that the image is made of, so that its tag can be the key of it. */
export type ImageRecipe = {
  readonly name: string;
  /** The text of the Dockerfile; the classic builder runs it, so nothing of BuildKit. */
  readonly dockerfile: string;
  readonly buildArgs?: Readonly<Record<string, string>>;
  /** Files or folders of the context: where there, from where. A path stands for its content: cached parts. */
  readonly copies?: Readonly<Record<string, string>>;
  /** Files of the context with their text. */
  readonly texts?: Readonly<Record<string, string>>;
};

/**
 * Builds an image, unless the engine has it.
 *
 * @returns its name, with a key of its recipe as the tag.
 */
export async function ensureImage(recipe: ImageRecipe): Promise<string> {
  const image = `python-lambda-operator/${recipe.name}:${cacheKey([recipe])}`;
  if (await hasImage(image)) return image;
  await step(`image ${recipe.name}`, () =>
    inTemporaryFolder(async (context) => {
      await fill(context, recipe);
      await dockerBuild(image, context, recipe.buildArgs ?? {});
    }),
  );
  return image;
}

/** An image of one static binary and nothing else, which it runs. */
export function binaryImage(name: string, binary: string, pathInImage: string): ImageRecipe {
  const dockerfile = `FROM scratch\nCOPY binary ${pathInImage}\nENTRYPOINT ["${pathInImage}"]\n`;
  return { name, dockerfile, copies: { binary } };
}

/** True if the engine has the image. */
export function hasImage(image: string): Promise<boolean> {
  return succeeds("docker", ["image", "inspect", image]);
}

/** The text of a file of this folder. */
export function readRecipe(...path: string[]): Promise<string> {
  return readFile(join(import.meta.dirname, "images", ...path), "utf8");
}

/**
 * Makes the Debian image that others start from, by debootstrap. It trusts the certificate authorities
 * that this machine trusts, so that installing packages in it works behind the same proxy.
 *
 * @returns its name.
 */
export async function ensureDebianImage(): Promise<string> {
  const debootstrap = ["--variant=minbase", "--include=ca-certificates", "bookworm"];
  const authorities = existsSync(HOST_AUTHORITIES) ? await readFile(HOST_AUTHORITIES) : "";
  const key = cacheKey([debootstrap, createHash("sha256").update(authorities).digest("hex")]);
  const dir = await cached("debian", key, async (dir) => {
    if (process.getuid?.() !== 0)
      throw new Error("debootstrap needs root's rights: run this as root");
    await ensureApt(["ca-certificates", "debootstrap"]);
    const root = join(dir, "root");
    await run("debootstrap", [...debootstrap, root]);
    await run("chroot", [root, "apt-get", "clean"]);
    if (authorities) await writeFile(join(root, HOST_AUTHORITIES), authorities);
    await run("tar", ["-C", root, "-cf", join(dir, "root.tar"), "."]);
    await rm(root, { recursive: true });
  });
  const image = `python-lambda-operator/debian:${key}`;
  if (await hasImage(image)) return image;
  await step("image debian", () => run("docker", ["import", join(dir, "root.tar"), image]));
  return image;
}

const HOST_AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";

/** Runs the action with a new folder, which is removed after it. */
export async function inTemporaryFolder<T>(action: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "toolchain-"));
  try {
    return await action(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function fill(context: string, recipe: ImageRecipe): Promise<void> {
  const texts = { ...recipe.texts, Dockerfile: recipe.dockerfile };
  for (const [path, text] of Object.entries(texts)) await writeFile(join(context, path), text);
  for (const [path, source] of Object.entries(recipe.copies ?? {})) {
    await mkdir(dirname(join(context, path)), { recursive: true });
    await run("cp", ["-R", source, join(context, path)]);
  }
}

async function dockerBuild(
  image: string,
  context: string,
  buildArgs: Readonly<Record<string, string>>,
): Promise<void> {
  const args = Object.entries(buildArgs).map(([name, value]) => `--build-arg=${name}=${value}`);
  const env = { DOCKER_BUILDKIT: "0" };
  await run("docker", ["build", "--force-rm", `--tag=${image}`, ...args, context], { env });
}
