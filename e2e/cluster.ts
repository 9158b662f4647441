// npm run cluster: makes a cluster with all that a lambda needs, and says how to use it.
import { installStack } from "./stack/stack.ts";
import { ensureCluster } from "./toolchain/toolchain.ts";

try {
  const cluster = await ensureCluster({ fromSource: process.argv.includes("--from-source") });
  await installStack(cluster);
  process.stdout.write(`
export KUBECONFIG=${cluster.kubeconfigPath} PATH=${cluster.binDir}:$PATH
kubectl apply -f examples/hello.yaml
curl 'http://localhost:${cluster.httpPort}/?name=Martin'
`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
