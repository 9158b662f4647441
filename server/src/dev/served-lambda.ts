import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalLambda } from "./manifest.ts";
import { type RuntimeEvent, type RuntimeProcess, startRuntime } from "./runtime-process.ts";

/** What became of a lambda's newest code. `port` is where the last good code serves, if there was any. */
export interface State {
  phase: "loading" | "ready" | "failed";
  detail: string;
  port?: number;
}

export interface ServedLambda {
  lambda: () => LocalLambda;
  state: () => State;
  /** Serves another version of the lambda; the running one goes on until that one can. */
  update: (lambda: LocalLambda) => Promise<void>;
  /** Resolves when its process has ended. */
  stop: () => Promise<void>;
}

interface Context {
  python: string;
  /** Where code files are put, one a lambda. */
  folder: string;
  onOutput: (lambda: LocalLambda, line: string) => void;
  /** Called when newest code is ready or has failed. */
  onSettled: (lambda: LocalLambda, state: State) => void;
}

const STOP_TIMEOUT_MS = 5_000;

/** Serves a lambda in a process of its own, and keeps it served. */
export const serveLambda = async (first: LocalLambda, context: Context): Promise<ServedLambda> => {
  const codeFile = join(context.folder, `${first.name}.py`);
  let lambda = first;
  let state: State = { phase: "loading", detail: "loading" };
  let running: { runtime: RuntimeProcess; ended: Promise<void> } | undefined;

  const settle = (next: State) => {
    state = next;
    context.onSettled(lambda, state);
  };

  const start = () => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const isCurrent = () => running?.ended === ended;
    const runtime = startRuntime(context.python, codeFile, {
      onOutput: (line) => context.onOutput(lambda, line),
      onEvent: (event) => isCurrent() && take(event),
      onExit: (why) => {
        resolve();
        if (isCurrent()) {
          running = undefined;
          recover(why);
        }
      },
    });
    running = { runtime, ended };
  };

  const take = (event: RuntimeEvent) => {
    if (event.event === "ready") {
      settle({ phase: "ready", detail: event.style, port: event.port });
    } else if (event.event === "load-failed") {
      const where = event.line === null ? "" : ` at line ${event.line}`;
      settle({ ...state, phase: "failed", detail: `${event.error}${where}` });
    }
  };

  /** A process that served is started again; one that never could waits for the next save. */
  const recover = (why: string) => {
    if (state.port !== undefined) {
      state = { phase: "loading", detail: "loading" };
      start();
    } else if (state.phase === "loading") {
      settle({ phase: "failed", detail: why });
    }
  };

  const end = async (how: "stop" | "kill") => {
    const ending = running;
    running = undefined;
    if (ending) {
      const timer = setTimeout(ending.runtime.kill, STOP_TIMEOUT_MS);
      ending.runtime[how]();
      await ending.ended;
      clearTimeout(timer);
    }
  };

  const update = async (next: LocalLambda) => {
    const isNewCode = next.code !== lambda.code;
    lambda = next;
    if (!isNewCode) {
      return;
    }
    await writeFile(codeFile, lambda.code);
    state = { ...state, phase: "loading", detail: "loading" };
    if (running && state.port !== undefined) {
      running.runtime.reload();
    } else {
      await end("kill");
      start();
    }
  };

  await writeFile(codeFile, lambda.code);
  start();
  return { lambda: () => lambda, state: () => state, update, stop: () => end("stop") };
};
