import { parseArgs } from "node:util";
import { step } from "./progress.ts";
import { deleteCluster, ensureCluster, ensureTools, stopEngine } from "./toolchain.ts";

const USAGE = `node e2e/toolchain/main.ts [up | tools | down] [--from-source] [--http-port=<port>]

  up      makes a cluster, with all that it takes, and prints how to reach it; the default
  tools   makes the tools of the tests alone, and prints how to call them
  down    deletes the cluster, and stops the container engine if it is ours
`;

/** What it returns is for a shell to read: eval "$(node e2e/toolchain/main.ts)". */
async function main(args: string[]): Promise<string> {
  const { command, fromSource, httpPort } = readArguments(args);
  if (command === "up") {
    const cluster = await step("up", () => ensureCluster({ fromSource, httpPort }));
    return `export PATH=${cluster.binDir}:$PATH KUBECONFIG=${cluster.kubeconfigPath}
# http://127.0.0.1:${cluster.httpPort} is port 80 of the node
`;
  }
  if (command === "tools") {
    const binDir = await step("tools", () => ensureTools({ fromSource }));
    return `export PATH=${binDir}:$PATH\n`;
  }
  if (command === "down") {
    await deleteCluster();
    await stopEngine();
    return "";
  }
  throw new Error(`There is no command ${command}.\n${USAGE}`);
}

function readArguments(args: string[]) {
  const options = { "from-source": { type: "boolean" }, "http-port": { type: "string" } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const httpPort = values["http-port"] === undefined ? undefined : Number(values["http-port"]);
  if (httpPort !== undefined && !(Number.isInteger(httpPort) && httpPort > 0 && httpPort < 65536)) {
    throw new Error(`--http-port=${values["http-port"]}: a port is a number from 1 to 65535`);
  }
  return { command: positionals[0] ?? "up", fromSource: values["from-source"] === true, httpPort };
}

try {
  process.stdout.write(await main(process.argv.slice(2)));
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exitCode = 1;
}
