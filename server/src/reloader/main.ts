import { pino } from "pino";
import * as v from "valibot";
import { annotationName } from "../configmap-reloader/names.ts";
import { serve } from "../serve.ts";
import { connect } from "./cluster.ts";
import { reloaderHooks } from "./reload.ts";

const MS_PER_SECOND = 1000;

/** A request has all pods of a namespace in it, each of some 5 to 10 KiB. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

const logger = pino({ timestamp: pino.stdTimeFunctions.isoTime });

const readAnnotation = (): string => {
  const { ANNOTATION } = process.env;
  const read = v.safeParse(annotationName, ANNOTATION);
  if (!read.success) {
    const [issue] = read.issues;
    throw new Error(`ANNOTATION is ${ANNOTATION}: ${issue.message}`);
  }
  return read.output;
};

const main = async () => {
  const annotation = readAnnotation();
  const nowSeconds = () => Date.now() / MS_PER_SECOND;
  const hooks = reloaderHooks({ cluster: connect(), annotation, nowSeconds });
  await serve({ hooks, logger, maxBodyBytes: MAX_BODY_BYTES });
};

main().catch((error) => {
  logger.fatal({ err: error }, error.message);
  process.exitCode = 1;
});
