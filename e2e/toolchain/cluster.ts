import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureBaseImages } from "./base-images.ts";
import { buildModules } from "./build-modules.ts";
import { cacheDir } from "./cache.ts";
import { ensureEngine } from "./engine.ts";
import { binaryImage, ensureDebianImage, ensureImage } from "./images.ts";
import { httpPortOf, imageOf, kindConfig } from "./kind-config.ts";
import { ensureNodeImage } from "./node-image.ts";
import { freePort } from "./ports.ts";
import { step } from "./progress.ts";
import { run, succeeds } from "./spawn.ts";
import { together } from "./together.ts";
import { ensureCommands, ensureTools } from "./tools.ts";

const NAME = "python-lambda-operator";
const PULL_TIMEOUT_MS = 20_000;

/** A running cluster, and what to install into it with. */
export type Cluster = {
  /** The name to give to `kind --name`. */
  readonly name: string;
  readonly kubeconfigPath: string;
  /** The port of 127.0.0.1 that reaches hostPort 80 of the node. */
  readonly httpPort: number;
  /** False where a healthy one was there already. */
  readonly created: boolean;
  /** Whether this call started the container engine. */
  readonly engineStarted: boolean;
  /** The folder of the tools that were built; it is first on this process's PATH. */
  readonly binDir: string;
  /** What stands for published images; undefined where those can be pulled. */
  readonly built: BuiltImages | undefined;
};

type BuiltImages = {
  /** Loaded into the cluster. */
  readonly metacontroller: string;
  readonly traefik: string;
  /** For `docker build --build-arg`: the bases of the project's own images. */
  readonly pythonBase: string;
  readonly nodeBase: string;
  /** The folder of Metacontroller's Helm chart. */
  readonly metacontrollerChart: string;
};

/**
 * Makes sure that a cluster of one node runs: a healthy one of ours is used again, any other of our name
 * is replaced.
 *
 * @param fromSource builds every tool and image, also where they are on PATH or can be pulled. A cluster
 * that was made so stays so until it is deleted.
 * @param httpPort the port to reach hostPort 80 at; 8080 by default if that is free, else any free one.
 */
export async function ensureCluster({
  fromSource = false,
  httpPort,
}: {
  fromSource?: boolean | undefined;
  httpPort?: number | undefined;
} = {}): Promise<Cluster> {
  const { started } = await ensureEngine();
  const build = fromSource || (await isBuilt()) || !(await canPull());
  const binDir = build ? await buildTools() : await ensureTools();
  const image = build ? await ensureNodeImage() : undefined;
  const built = build ? await ensureBuiltImages() : undefined;
  const node = await ensureNode(httpPort, image);
  if (built) await load([built.metacontroller, built.traefik]);
  const kubeconfigPath = kubeconfig();
  return { name: NAME, kubeconfigPath, ...node, engineStarted: started, binDir, built };
}

/** Deletes the cluster, if there is one. The engine stays. */
export async function deleteCluster(): Promise<void> {
  await ensureCommands(["docker", "kind"]);
  await rm(configPath(), { force: true });
  await run("kind", ["delete", "cluster", `--name=${NAME}`, `--kubeconfig=${kubeconfig()}`]);
}

/** True where the cluster that was made last has a node image that was built. */
async function isBuilt(): Promise<boolean> {
  const config = await readFile(configPath(), "utf8").catch(() => undefined);
  return config !== undefined && imageOf(config) !== undefined;
}

/** True where published images can be pulled, by trying the smallest one. */
function canPull(): Promise<boolean> {
  const timeout = PULL_TIMEOUT_MS;
  return succeeds("docker", ["pull", "--quiet", "hello-world"], { timeout });
}

/** The tools, and beside them the part that takes long but few of the machine's cores. */
async function buildTools(): Promise<string> {
  const [binDir] = await together(ensureTools({ fromSource: true }), ensureDebianImage());
  return binDir;
}

async function ensureBuiltImages(): Promise<BuiltImages> {
  const { metacontroller, traefik } = await buildModules(["metacontroller", "traefik"]);
  const bases = await ensureBaseImages();
  const binaries = [
    binaryImage(
      "metacontroller",
      join(metacontroller, "metacontroller"),
      "/usr/bin/metacontroller",
    ),
    binaryImage("traefik", join(traefik, "traefik"), "/usr/local/bin/traefik"),
  ] as const;
  return {
    metacontroller: await ensureImage(binaries[0]),
    traefik: await ensureImage(binaries[1]),
    pythonBase: bases.python,
    nodeBase: bases.node,
    metacontrollerChart: join(metacontroller, "chart"),
  };
}

async function ensureNode(
  wantedPort: number | undefined,
  image: string | undefined,
): Promise<{ httpPort: number; created: boolean }> {
  const running = await readFile(configPath(), "utf8").catch(() => undefined);
  if (running !== undefined) {
    const httpPort = wantedPort ?? httpPortOf(running);
    if (httpPort !== httpPortOf(running)) await freePort(httpPort);
    const same = running === kindConfig({ httpPort, image });
    if (same && (await isReady())) return { httpPort, created: false };
  }
  return step("cluster", () => createNode(wantedPort, image));
}

async function createNode(
  wantedPort: number | undefined,
  image: string | undefined,
): Promise<{ httpPort: number; created: boolean }> {
  const target = [`--name=${NAME}`, `--kubeconfig=${kubeconfig()}`];
  await mkdir(clusterDir(), { recursive: true });
  await rm(configPath(), { force: true });
  await run("kind", ["delete", "cluster", ...target]);
  const httpPort = await freePort(wantedPort);
  const config = kindConfig({ httpPort, image });
  await run("kind", ["create", "cluster", ...target, "--config=-", "--wait=2m"], {
    stdin: { string: config },
  });
  const dns = [
    "rollout",
    "status",
    "deployment/coredns",
    "--namespace=kube-system",
    "--timeout=2m",
  ];
  await run("kubectl", [`--kubeconfig=${kubeconfig()}`, ...dns]);
  await writeFile(configPath(), config);
  return { httpPort, created: true };
}

function isReady(): Promise<boolean> {
  const wait = ["wait", "nodes", "--all", "--for=condition=Ready", "--timeout=10s"];
  return succeeds("kubectl", [`--kubeconfig=${kubeconfig()}`, "--request-timeout=10s", ...wait]);
}

function load(images: readonly string[]): Promise<string> {
  return step("images into the cluster", () =>
    run("kind", ["load", "docker-image", `--name=${NAME}`, ...images]),
  );
}

const clusterDir = (): string => join(cacheDir(), "cluster");
const kubeconfig = (): string => join(clusterDir(), "kubeconfig");
/** Written when the cluster is whole: what it was made with. */
const configPath = (): string => join(clusterDir(), "kind.yaml");
