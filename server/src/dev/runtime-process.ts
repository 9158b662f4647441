import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import * as v from "valibot";

const EVENTS_FD = 3;

/** What `lambda_runtime` says of itself: see runtime/src/lambda_runtime/events.py. */
const runtimeEvent = v.variant("event", [
  v.object({
    event: v.literal("ready"),
    reload: v.boolean(),
    port: v.number(),
    style: v.string(),
  }),
  v.object({
    event: v.literal("load-failed"),
    reload: v.boolean(),
    error: v.string(),
    line: v.nullable(v.number()),
  }),
  v.object({ event: v.literal("worker-died"), message: v.string() }),
  v.object({ event: v.literal("stopping") }),
]);

export type RuntimeEvent = v.InferOutput<typeof runtimeEvent>;

interface Listener {
  onEvent: (event: RuntimeEvent) => void;
  /** A line that the lambda or the runtime wrote to stdout or stderr. */
  onOutput: (line: string) => void;
  onExit: (why: string) => void;
}

export interface RuntimeProcess {
  /** Has the runtime load the code file anew, beside the code that serves. Not before its first event. */
  reload: () => void;
  /** Has it answer what is under way and end. */
  stop: () => void;
  /** Ends it at once. */
  kill: () => void;
}

/** Starts the runtime on a file of code, on ports of its own choice. */
export const startRuntime = (
  python: string,
  codeFile: string,
  { onEvent, onOutput, onExit }: Listener,
): RuntimeProcess => {
  const ports = ["--port=0", "--health-port=0", `--events-fd=${EVENTS_FD}`];
  const child = spawn(python, ["-m", "lambda_runtime", codeFile, ...ports, "--debug"], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const [, stdout, stderr, events] = child.stdio as unknown as Readable[];
  onLines(stdout, onOutput);
  onLines(stderr, onOutput);
  onLines(events, (line) => onEvent(v.parse(runtimeEvent, JSON.parse(line))));
  child.on("error", ({ message }) => onExit(`${python} cannot be run: ${message}`));
  child.on("close", (status, signal) => onExit(`ended with ${signal ?? `status ${status}`}`));
  return {
    reload: () => child.kill("SIGHUP"),
    stop: () => child.kill("SIGTERM"),
    kill: () => child.kill("SIGKILL"),
  };
};

const onLines = (stream: Readable | undefined, take: (line: string) => void) => {
  if (stream) {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", take);
  }
};
