import { run } from "../toolchain/spawn.ts";

/** Has a command that takes `--kubeconfig` run against a cluster; what it returns resolves to the command's standard output. */
const commandFor =
  (command: string) =>
  (kubeconfigPath: string) =>
  (args: readonly string[], input?: string): Promise<string> =>
    run(command, [`--kubeconfig=${kubeconfigPath}`, ...args], {
      stdin: input === undefined ? "ignore" : { string: input },
    });

export const kubectlFor = commandFor("kubectl");
export const helmFor = commandFor("helm");
