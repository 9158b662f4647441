import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { pino } from "pino";
import { createApp } from "./app.ts";
import { helloWorldHook } from "./hello-world/controller.ts";
import { immortalContainerHook } from "./immortal-container/controller.ts";
import { pythonLambdaHook } from "./python-lambda/controller.ts";
import { parseSettings } from "./settings.ts";

/** Kubernetes ends a pod after its grace period, 30 s by default: what is under way has to be done before that. */
const DRAIN_TIMEOUT_MS = 25_000;
const DEFAULT_PORT = 8080;

const logger = pino({ timestamp: pino.stdTimeFunctions.isoTime });

const { PORT, SETTINGS_FILE } = process.env;

const readSettings = async () => {
  if (!SETTINGS_FILE) {
    throw new Error(
      "SETTINGS_FILE is not set: it names the JSON file with the operator's settings",
    );
  }
  return parseSettings(await readFile(SETTINGS_FILE, "utf8"), SETTINGS_FILE);
};

const serve = async () => {
  const settings = await readSettings();
  let isDraining = false;
  const app = createApp({
    hooks: [
      pythonLambdaHook(settings.pythonLambda),
      immortalContainerHook(Date.now),
      helloWorldHook(settings.helloWorld),
    ],
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
  server.listen(Number(PORT ?? DEFAULT_PORT));
  await once(server, "listening");
  logger.info(server.address(), "listening");
};

serve().catch((error) => {
  logger.fatal({ err: error }, error.message);
  process.exitCode = 1;
});
