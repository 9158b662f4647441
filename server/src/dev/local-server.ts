import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalLambda } from "./manifest.ts";
import type { Target } from "./proxy.ts";
import { type ServedLambda, type State, serveLambda } from "./served-lambda.ts";

interface Context {
  python: string;
  onOutput: (lambda: LocalLambda, line: string) => void;
  onSettled: (lambda: LocalLambda, state: State) => void;
}

export interface LocalServer {
  /** Starts, updates and stops lambdas until these are the ones that are served. */
  reconcile: (desired: readonly LocalLambda[]) => Promise<void>;
  /** Where the requests for a host go. */
  route: (host: string) => Target;
  served: () => ServedLambda[];
  /** Ends every lambda and leaves nothing behind. */
  stop: () => Promise<void>;
}

/** The lambdas that are served on this machine, by name. */
export const createLocalServer = async (context: Context): Promise<LocalServer> => {
  const folder = await mkdtemp(join(tmpdir(), "python-lambda-"));
  const served = new Map<string, ServedLambda>();

  const reconcile = async (desired: readonly LocalLambda[]) => {
    const names = new Set(desired.map(({ name }) => name));
    const gone = [...served].filter(([name]) => !names.has(name));
    await Promise.all(
      gone.map(([name, lambda]) => {
        served.delete(name);
        return lambda.stop();
      }),
    );
    for (const lambda of desired) {
      const current = served.get(lambda.name);
      if (current) {
        await current.update(lambda);
      } else {
        served.set(lambda.name, await serveLambda(lambda, { ...context, folder }));
      }
    }
  };

  const route = (host: string): Target => {
    const lambdas = [...served.values()];
    const found = lambdas.find(({ lambda }) => lambda().host === host);
    if (!found) {
      const hosts = lambdas.map(({ lambda }) => lambda().host).join(", ");
      const message = `no lambda has the host ${host}; there are ${hosts}`;
      return { status: 404, error: "NoSuchHost", message };
    }
    const { port, detail } = found.state();
    const message = `lambda ${found.lambda().name} cannot serve: ${detail}`;
    return port === undefined ? { status: 503, error: "NotReady", message } : { port };
  };

  const stop = async () => {
    await reconcile([]);
    await rm(folder, { recursive: true, force: true });
  };

  return { reconcile, route, served: () => [...served.values()], stop };
};
