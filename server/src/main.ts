import { readFile } from "node:fs/promises";
import { pino } from "pino";
import { helloWorldHook } from "./hello-world/controller.ts";
import { immortalContainerHook } from "./immortal-container/controller.ts";
import { pythonLambdaHook } from "./python-lambda/controller.ts";
import { serve } from "./serve.ts";
import { parseSettings } from "./settings.ts";

const logger = pino({ timestamp: pino.stdTimeFunctions.isoTime });

const { SETTINGS_FILE } = process.env;

const readSettings = async () => {
  if (!SETTINGS_FILE) {
    throw new Error(
      "SETTINGS_FILE is not set: it names the JSON file with the operator's settings",
    );
  }
  return parseSettings(await readFile(SETTINGS_FILE, "utf8"), SETTINGS_FILE);
};

const main = async () => {
  const settings = await readSettings();
  const hooks = [
    pythonLambdaHook(settings.pythonLambda),
    immortalContainerHook(Date.now),
    helloWorldHook(settings.helloWorld),
  ];
  await serve({ hooks, logger });
};

main().catch((error) => {
  logger.fatal({ err: error }, error.message);
  process.exitCode = 1;
});
