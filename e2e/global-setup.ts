import type { TestProject } from "vitest/node";
import { helmFor } from "./stack/kubectl.ts";
import { type Images, imagesOf, installStack } from "./stack/stack.ts";
import { run } from "./toolchain/spawn.ts";
import { deleteCluster, ensureCluster, stopEngine } from "./toolchain/toolchain.ts";

/** What the end-to-end tests get to know of the cluster, by vitest's `inject`. */
interface ClusterContext {
  /** The name to give to `kind --name`. */
  name: string;
  kubeconfigPath: string;
  /** The port of 127.0.0.1 at which the Ingress controller answers. */
  httpPort: number;
  images: Images;
  /** PATH with the tools of the tests. */
  path: string;
}

declare module "vitest" {
  interface ProvidedContext {
    cluster: ClusterContext;
  }
}

/**
 * Makes the cluster that the end-to-end tests share, with all that a lambda needs. A cluster that was there is used again and
 * left; a new one is deleted after the tests, unless `KEEP_CLUSTER=1`. With `E2E_CLUSTER=existing` the cluster of `KUBECONFIG`
 * is taken as it is: what `npm run cluster` made, or the like, with its Ingress controller at the port `E2E_HTTP_PORT`.
 */
export default async ({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const { E2E_CLUSTER, E2E_HTTP_PORT = "80", KEEP_CLUSTER, KUBECONFIG } = process.env;
  const path = () => process.env.PATH ?? "";
  if (E2E_CLUSTER === "existing") {
    if (!KUBECONFIG) {
      throw new Error(
        "E2E_CLUSTER=existing needs KUBECONFIG: the path of the cluster's kubeconfig",
      );
    }
    const images = await imagesOf(helmFor(KUBECONFIG));
    const httpPort = Number(E2E_HTTP_PORT);
    const context = await run("kubectl", ["config", "current-context"]);
    const name = context.replace(/^kind-/, "");
    provide("cluster", { name, kubeconfigPath: KUBECONFIG, httpPort, images, path: path() });
    return undefined;
  }
  const cluster = await ensureCluster();
  const { name, kubeconfigPath, httpPort } = cluster;
  const images = await installStack(cluster);
  provide("cluster", { name, kubeconfigPath, httpPort, images, path: path() });
  return async () => {
    if (cluster.created && KEEP_CLUSTER !== "1") {
      await deleteCluster();
    }
    if (cluster.engineStarted && KEEP_CLUSTER !== "1") {
      await stopEngine();
    }
  };
};
