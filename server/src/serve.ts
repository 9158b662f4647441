import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Logger } from "pino";
import { createApp } from "./app.ts";
import type { Hook } from "./metacontroller/hook.ts";

/** Kubernetes ends a pod after its grace period, 30 s by default: what is under way has to be done before that. */
const DRAIN_TIMEOUT_MS = 25_000;
const DEFAULT_PORT = 8080;

interface Served {
  hooks: readonly Hook[];
  logger: Logger;
  /** The largest request taken; 8 MiB by default. */
  maxBodyBytes?: number;
}

/** Serves hooks at the port `PORT`, 8080 by default, until the process is told to end; then what is under way is answered. */
export const serve = async ({ hooks, logger, ...limits }: Served): Promise<void> => {
  let isDraining = false;
  const app = createApp({
    ...limits,
    hooks,
    log: (level, fields, message) => logger[level](fields, message),
    isReady: () => !isDraining,
  });
  const server = createServer(getRequestListener(app.fetch));
  const drain = (signal: string) => {
    isDraining = true;
    logger.info({ signal }, "draining");
    server.close(() => logger.info("drained"));
    setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS).unref();
  };
  process.once("SIGTERM", drain).once("SIGINT", drain);
  server.listen(Number(process.env.PORT ?? DEFAULT_PORT));
  await once(server, "listening");
  logger.info(server.address(), "listening");
};
