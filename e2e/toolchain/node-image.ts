import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buildModules } from "./build-modules.ts";
import { cacheKey } from "./cache.ts";
import { componentNames, ensureComponentImages } from "./component-images.ts";
import {
  ensureDebianImage,
  ensureImage,
  hasImage,
  inTemporaryFolder,
  readRecipe,
} from "./images.ts";
import { GO_MODULES, requiredVersion } from "./modules.ts";
import { becomes } from "./poll.ts";
import { step } from "./progress.ts";
import { run, runWithInput, succeeds } from "./spawn.ts";

const CONTAINERD_START_TIMEOUT_MS = 30_000;

const PARTS = ["kubernetes", "etcd", "coredns", "containerd", "runc", "crictl", "kind"] as const;

/**
 * Makes the image of kind's nodes: a Debian with systemd, containerd and the kubelet, and the images of
 * the control plane inside.
 *
 * @returns its name.
 */
export async function ensureNodeImage(): Promise<string> {
  const parts = await buildModules(PARTS);
  const version = await kubernetesVersion();
  const list = ["config", "images", "list", `--kubernetes-version=${version}`];
  const published = componentNames(await run(join(parts.kubernetes, "kubeadm"), list));
  const debian = await ensureDebianImage();
  const components = await ensureComponentImages(parts, debian);
  const base = await ensureNodeBase(parts, debian, version, published.pause);
  const image = `python-lambda-operator/kind-node:${cacheKey([base, components, published])}`;
  if (await hasImage(image)) return image;
  const names = Object.entries(components).map(
    ([component, local]) => [local, published[component as keyof typeof published]] as const,
  );
  await step("image kind-node", () => addImages(base, names, image));
  return image;
}

async function kubernetesVersion(): Promise<string> {
  const goMod = join(import.meta.dirname, "modules", "kubernetes", "go.mod");
  return requiredVersion(await readFile(goMod, "utf8"), GO_MODULES.kubernetes.path);
}

async function ensureNodeBase(
  parts: Record<(typeof PARTS)[number], string>,
  debian: string,
  version: string,
  pauseImage: string,
): Promise<string> {
  return ensureImage({
    name: "kind-node-base",
    dockerfile: await readRecipe("kind-node", "Dockerfile"),
    buildArgs: { BASE: debian, PAUSE_IMAGE: pauseImage },
    texts: { version, "cni.conflist": await readRecipe("kind-node", "cni.conflist") },
    copies: {
      "node-files": join(parts.kind, "node-files"),
      "bin/containerd": join(parts.containerd, "containerd"),
      "bin/containerd-shim-runc-v2": join(parts.containerd, "containerd-shim-runc-v2"),
      "bin/ctr": join(parts.containerd, "ctr"),
      "bin/runc": join(parts.runc, "runc"),
      "bin/crictl": join(parts.crictl, "crictl"),
      "kubernetes/kubeadm": join(parts.kubernetes, "kubeadm"),
      "kubernetes/kubectl": join(parts.kubernetes, "kubectl"),
      "kubernetes/kubelet": join(parts.kubernetes, "kubelet"),
    },
  });
}

/** Makes an image of the base and, in its containerd, of the local images under their published names. */
async function addImages(
  base: string,
  names: readonly (readonly [local: string, published: string])[],
  image: string,
): Promise<void> {
  const container = "python-lambda-operator-kind-node";
  const options = ["--detach", "--privileged", `--name=${container}`, "--entrypoint=containerd"];
  await succeeds("docker", ["rm", "--force", "--volumes", container]);
  await run("docker", ["run", ...options, base]);
  try {
    await importImages(container, names);
    await run("docker", ["stop", container]);
    const entrypoint = 'ENTRYPOINT ["/usr/local/bin/entrypoint", "/sbin/init"]';
    await run("docker", ["commit", `--change=${entrypoint}`, container, image]);
  } finally {
    await run("docker", ["rm", "--force", "--volumes", container]);
  }
}

async function importImages(
  container: string,
  names: readonly (readonly [local: string, published: string])[],
): Promise<void> {
  const ctr = ["exec", "--interactive", container, "ctr", "--namespace=k8s.io", "images"];
  const answers = () => succeeds("docker", [...ctr, "list"]);
  if (!(await becomes(answers, CONTAINERD_START_TIMEOUT_MS))) {
    throw new Error(`containerd does not answer:\n${await run("docker", ["logs", container])}`);
  }
  const local = names.map(([name]) => name);
  await inTemporaryFolder(async (dir) => {
    const archive = join(dir, "images.tar");
    await run("docker", ["save", `--output=${archive}`, ...local]);
    const load = [...ctr, "import", "--local", "--all-platforms", "--no-unpack", "-"];
    await runWithInput(archive, "docker", load);
  });
  for (const [from, to] of names) await run("docker", [...ctr, "tag", `docker.io/${from}`, to]);
  await run("docker", [...ctr, "remove", ...local.map((name) => `docker.io/${name}`)]);
}
