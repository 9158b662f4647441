import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { parseArguments, USAGE } from "./arguments.ts";
import { foldersOf, readManifests } from "./files.ts";
import { keepLastGood } from "./lambdas.ts";
import { createLocalServer } from "./local-server.ts";
import type { LocalLambda, Manifest } from "./manifest.ts";
import { problemLine } from "./problem.ts";
import { createProxy } from "./proxy.ts";
import type { State } from "./served-lambda.ts";
import { toTable } from "./table.ts";
import { watchFolders } from "./watch.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PYTHON = join(ROOT, "runtime/.venv/bin/python");
const LOOPBACK = "127.0.0.1";

const say = (text: string) => process.stdout.write(`${text}\n`);
const complain = (text: string) => process.stderr.write(`${text}\n`);

/** Ends the program over something that the person at the keyboard can put right. */
const giveUp = (text: string): never => {
  complain(text);
  process.exit(2);
};

const readArguments = () => {
  // npm runs scripts in the project's folder and tells here where the person is.
  process.chdir(process.env.INIT_CWD ?? process.cwd());
  try {
    return parseArguments(process.argv.slice(2), relative("", join(ROOT, "examples")));
  } catch (error) {
    return giveUp(`${(error as Error).message}\n${USAGE}`);
  }
};

const listen = async (server: ReturnType<typeof createProxy>, port: number): Promise<number> => {
  try {
    server.listen(port, LOOPBACK);
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "EADDRINUSE"
      ? giveUp(`port ${port} is taken: free it, or choose another with --port`)
      : giveUp(`port ${port} cannot be had: ${message}`);
  }
};

const read = async (paths: readonly string[]): Promise<Manifest> => {
  const manifest = await readManifests(paths);
  for (const problem of manifest.problems) {
    complain(problemLine(problem));
  }
  return manifest;
};

const { paths, port: wantedPort } = readArguments();
const manifest = await read(paths);
if (manifest.lambdas.length === 0) {
  giveUp("there is no lambda to serve");
}

let isTableShown = false;

const row = ({ name, host }: LocalLambda, { phase, detail, port: serving }: State) => {
  const next = serving === undefined ? "fix it and save" : "the last good code goes on serving";
  const state = phase === "failed" ? `${detail}: ${next}` : `${phase} (${detail})`;
  return [name, `http://${host}:${port}/`, state];
};

const local = await createLocalServer({
  python: PYTHON,
  onOutput: ({ name }, line) => complain(`${name} | ${line}`),
  onSettled: (lambda, state) => {
    if (isTableShown) {
      say(toTable([row(lambda, state)]));
    } else if (local.served().every((served) => served.state().phase !== "loading")) {
      isTableShown = true;
      const rows = local.served().map((served) => row(served.lambda(), served.state()));
      say(toTable([["LAMBDA", "URL", "STATE"], ...rows]));
    }
  },
});

const proxy = createProxy(local.route);
const port = await listen(proxy, wantedPort);
await local.reconcile(manifest.lambdas);

const watchers = watchFolders(await foldersOf(paths), async () => {
  const served = local.served().map(({ lambda }) => lambda());
  await local.reconcile(keepLastGood(await read(paths), served));
});

const stop = async () => {
  for (const watcher of watchers) {
    watcher.close();
  }
  proxy.close();
  await local.stop();
  proxy.closeAllConnections();
};
process.once("SIGINT", stop).once("SIGTERM", stop);
