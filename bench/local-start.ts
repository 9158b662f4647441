import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { toTable } from "../server/src/dev/table.ts";
import { freePort, ROOT } from "./processes.ts";
import { median } from "./statistics.ts";

const RUNS = 5;
const LIMIT_MS = 30_000;

/** Milliseconds from `npm start` with one lambda to its first answer. */
const firstAnswerMs = async (): Promise<number> => {
  const port = await freePort();
  const startedMs = performance.now();
  const args = ["start", "--silent", "--", "examples/hello.yaml", `--port=${port}`];
  const child = spawn("npm", args, { cwd: ROOT, stdio: "ignore", detached: true });
  const ended = once(child, "close");
  try {
    while (performance.now() - startedMs < LIMIT_MS) {
      const answer = await fetch(`http://127.0.0.1:${port}/?name=Martin`).catch(() => undefined);
      if (answer?.status === 200) {
        return performance.now() - startedMs;
      }
      await sleep(5);
    }
    throw new Error(`npm start has not answered within ${LIMIT_MS} ms`);
  } finally {
    process.kill(-(child.pid ?? 0), "SIGINT");
    await ended;
  }
};

/** How long a person waits for the first answer after `npm start`, with everything installed. */
export const benchLocalStart = async (): Promise<string> => {
  const timesMs: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    timesMs.push(await firstAnswerMs());
  }
  const seconds = (time: number) => (time / 1000).toFixed(2);
  return toTable([
    ["NPM START, one lambda", "median s", "longest s"],
    [`${RUNS} runs to the first answer`, seconds(median(timesMs)), seconds(Math.max(...timesMs))],
  ]);
};
