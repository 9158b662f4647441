import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { Cluster } from "../toolchain/cluster.ts";
import { step } from "../toolchain/progress.ts";
import { run } from "../toolchain/spawn.ts";
import { helmFor, kubectlFor } from "./kubectl.ts";
import { keepTrafficInside } from "./node.ts";

const ROOT = join(import.meta.dirname, "../..");

export const OPERATOR_CHART = join(ROOT, "charts/python-lambda-operator");
export const OPERATOR_RELEASE = "python-lambda";
export const OPERATOR_NAMESPACE = "python-lambda";

/** The project's own images, by name and tag, loaded into the cluster. */
export interface Images {
  server: string;
  reloader: string;
  runtime: string;
}

/** Installs all that a lambda needs into a cluster: Metacontroller, Traefik and the operator, from this checkout. */
export const installStack = async (cluster: Cluster): Promise<Images> => {
  await keepTrafficInside(cluster);
  const images = await step("images of this checkout", () => buildImages(cluster));
  await step("metacontroller", () => installMetacontroller(cluster));
  await step("traefik", () => installTraefik(cluster));
  await step("operator", () => installOperator(cluster, images));
  return images;
};

/** Builds the server's, the reloader's and the runtime's image. A tag is of the image's content, so that a new one rolls out. */
const buildImages = async ({ name, built }: Cluster): Promise<Images> => {
  const build = async (
    image: string,
    dockerfile: string,
    context: string,
    base?: string,
    ...more: readonly string[]
  ) => {
    const args = base === undefined ? more : [`--build-arg=BASE=${base}`, ...more];
    const id = await run("docker", ["build", "--quiet", ...args, `--file=${dockerfile}`, context], {
      env: built === undefined ? {} : { DOCKER_BUILDKIT: "0" },
    });
    const tag = `python-lambda-operator/${image}:${id.replace("sha256:", "").slice(0, 12)}`;
    await run("docker", ["tag", id, tag]);
    return tag;
  };
  const dockerfile = join(ROOT, "server/Dockerfile");
  const server = await build("server", dockerfile, ROOT, built?.nodeBase);
  const reloaderArgs = [
    "--build-arg=WITHOUT=",
    "--build-arg=MAX_HEAP_MIB=320",
    "--build-arg=MAIN=server/src/reloader/main.ts",
  ];
  const reloader = await build("reloader", dockerfile, ROOT, built?.nodeBase, ...reloaderArgs);
  const context = join(ROOT, "runtime");
  const runtime = await build("runtime", join(context, "Dockerfile"), context, built?.pythonBase);
  await run("kind", ["load", "docker-image", `--name=${name}`, server, reloader, runtime]);
  return { server, reloader, runtime };
};

/** Values of Helm for an image that is given as one name. */
export const imageValues = (image: string) => {
  const [repository, tag] = image.split(":");
  return { repository, tag };
};

/** The release that people install where its image can be pulled, else the one that was built. */
const installMetacontroller = async ({ kubeconfigPath, built }: Cluster): Promise<void> => {
  const helm = helmFor(kubeconfigPath);
  const install = ["upgrade", "--install", "metacontroller", "--namespace=metacontroller"];
  const values = parse(await readFile(join(ROOT, "values.yaml"), "utf8"))["metacontroller-helm"];
  if (built === undefined) {
    const { dependencies } = parse(await readFile(join(ROOT, "Chart.yaml"), "utf8"));
    const { name, version, repository } = dependencies[0];
    const chart = [`${repository}/${name}`, `--version=${version}`];
    const flags = ["--create-namespace", "--wait", "--values=-"];
    await helm([...install, ...chart, ...flags], stringify(values));
    return;
  }
  const image = imageValues(built.metacontroller);
  // Beside its CRDs the old chart has the same ones of an API version that is gone, which Helm would fail over.
  const crds = join(built.metacontrollerChart, "crds/metacontroller-crds-v1.yaml");
  await kubectlFor(kubeconfigPath)(["apply", "--server-side", `--filename=${crds}`]);
  const flags = ["--create-namespace", "--skip-crds", "--force-conflicts", "--values=-"];
  await helm([...install, built.metacontrollerChart, ...flags], stringify({ image }));
  await tuneOldRelease(kubeconfigPath, values);
};

/** The old release's chart has no values for its arguments and its role: it gets those of the root chart by a patch. */
const tuneOldRelease = async (
  kubeconfigPath: string,
  { commandArgs, clusterRole }: { commandArgs: string[]; clusterRole: { rules: object[] } },
): Promise<void> => {
  const kubectl = kubectlFor(kubeconfigPath);
  const args = commandArgs.filter((argument) => !argument.startsWith("--zap-"));
  const path = "/spec/template/spec/containers/0/args";
  const patch = JSON.stringify([{ op: "replace", path, value: args }]);
  const set = ["--namespace=metacontroller", "statefulset/metacontroller"];
  await kubectl(["patch", "clusterrole/metacontroller", "--patch", JSON.stringify(clusterRole)]);
  await kubectl(["patch", ...set, "--type=json", "--patch", patch]);
  await kubectl(["rollout", "status", ...set, "--timeout=2m"]);
};

const installTraefik = async ({ kubeconfigPath, built }: Cluster): Promise<void> => {
  const chart = join(ROOT, "e2e/charts/traefik");
  const values = built === undefined ? {} : { image: built.traefik };
  const install = ["upgrade", "--install", "traefik", chart, "--namespace=traefik"];
  const flags = ["--create-namespace", "--wait", "--timeout=3m", "--values=-"];
  await helmFor(kubeconfigPath)([...install, ...flags], stringify(values));
};

/** Values of the operator's chart that make it run these images. */
const operatorValues = ({ server, reloader, runtime }: Images) => ({
  image: imageValues(server),
  configMapReloader: { enabled: true, image: imageValues(reloader) },
  runtime: { image: imageValues(runtime) },
  // Any image with an `echo`, and this one is there.
  helloWorld: { image: imageValues(runtime) },
});

/** Installs or upgrades the operator's release, and waits until it is ready. */
export const installOperator = async (
  { kubeconfigPath }: Pick<Cluster, "kubeconfigPath">,
  images: Images,
  chart = OPERATOR_CHART,
): Promise<void> => {
  const namespace = [`--namespace=${OPERATOR_NAMESPACE}`, "--create-namespace"];
  const install = ["upgrade", "--install", OPERATOR_RELEASE, chart, ...namespace];
  const flags = ["--wait", "--timeout=3m", "--values=-"];
  await helmFor(kubeconfigPath)([...install, ...flags], stringify(operatorValues(images)));
};

/** The images that the operator's release runs. */
export const imagesOf = async (helm: ReturnType<typeof helmFor>): Promise<Images> => {
  const namespace = `--namespace=${OPERATOR_NAMESPACE}`;
  const get = ["get", "values", OPERATOR_RELEASE, namespace, "--output=json", "--all"];
  const { image, configMapReloader, runtime } = JSON.parse(await helm(get));
  const nameOf = ({ repository, tag }: { repository: string; tag: string }) =>
    `${repository}:${tag}`;
  return {
    server: nameOf(image),
    reloader: nameOf(configMapReloader.image),
    runtime: nameOf(runtime.image),
  };
};
