import { join } from "node:path";
import { ensureApt } from "./apt.ts";
import { cached, cacheKey } from "./cache.ts";
import { binaryImage, ensureImage, readRecipe } from "./images.ts";
import { run } from "./spawn.ts";

const COMPONENTS = [
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kube-proxy",
  "etcd",
  "coredns",
  "pause",
] as const;

/** What runs in a container of its own on a node. */
export type Component = (typeof COMPONENTS)[number];

/**
 * The image of each component, by the name that kubeadm asks for.
 *
 * @param list what `kubeadm config images list` prints: one image a line.
 * @throws where one is missing.
 */
export function componentNames(list: string): Record<Component, string> {
  const images = list.trim().split("\n");
  const names = COMPONENTS.map((component) => {
    const image = images.find((candidate) => candidate.includes(`/${component}:`));
    if (image === undefined) throw new Error(`kubeadm names no image of ${component}:\n${list}`);
    return [component, image];
  });
  return Object.fromEntries(names);
}

/**
 * Makes the images of the components.
 *
 * @param parts the folders of the modules that they are built from.
 * @param debian the image that kube-proxy, which calls other programs, starts from.
 */
export async function ensureComponentImages(
  parts: { readonly kubernetes: string; readonly etcd: string; readonly coredns: string },
  debian: string,
): Promise<Record<Component, string>> {
  const ensureBinary = (component: Component, dir: string): Promise<string> =>
    ensureImage(binaryImage(component, join(dir, component), `/usr/local/bin/${component}`));
  return {
    "kube-apiserver": await ensureBinary("kube-apiserver", parts.kubernetes),
    "kube-controller-manager": await ensureBinary("kube-controller-manager", parts.kubernetes),
    "kube-scheduler": await ensureBinary("kube-scheduler", parts.kubernetes),
    "kube-proxy": await ensureImage({
      name: "kube-proxy",
      dockerfile: await readRecipe("kube-proxy", "Dockerfile"),
      buildArgs: { BASE: debian },
      copies: { "kube-proxy": join(parts.kubernetes, "kube-proxy") },
    }),
    etcd: await ensureBinary("etcd", parts.etcd),
    coredns: await ensureBinary("coredns", parts.coredns),
    pause: await ensureBinary("pause", await buildPause(parts.kubernetes)),
  };
}

function buildPause(kubernetes: string): Promise<string> {
  const flags = ["-Os", "-static", "-DVERSION=local"];
  return cached("pause", cacheKey([kubernetes, flags]), async (dir) => {
    await ensureApt(["gcc", "libc6-dev"]);
    const source = join(kubernetes, "pause", "pause.c");
    await run("gcc", [...flags, "-o", join(dir, "pause"), source]);
  });
}
