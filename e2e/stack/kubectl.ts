import { run } from "../toolchain/spawn.ts";

/** Runs kubectl against a cluster; its standard output. */
export const kubectlFor =
  (kubeconfigPath: string) =>
  (args: readonly string[], input?: string): Promise<string> =>
    run("kubectl", [`--kubeconfig=${kubeconfigPath}`, ...args], {
      stdin: input === undefined ? "ignore" : { string: input },
    });

/** Runs helm against a cluster; its standard output. */
export const helmFor =
  (kubeconfigPath: string) =>
  (args: readonly string[], input?: string): Promise<string> =>
    run("helm", [`--kubeconfig=${kubeconfigPath}`, ...args], {
      stdin: input === undefined ? "ignore" : { string: input },
    });
