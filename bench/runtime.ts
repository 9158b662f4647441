import spawn from "nano-spawn";
import { toTable } from "../server/src/dev/table.ts";
import { freePort, listening, onCore, withServer } from "./processes.ts";
import { median } from "./statistics.ts";

const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 16;
const SERVER_CORE = 0;
const LOAD_CORE = 1;

const PYTHON = "runtime/.venv/bin/python";
const SCRIPT = "runtime/bench_peers/hello.py";

type Server = (port: number) => string[];

/** What the runtime is measured against, and it: the command line of each on a port. */
const servers: Record<string, Server> = {
  "http.server, the same script": (port) => [
    PYTHON,
    "runtime/bench_peers/http_server.py",
    SCRIPT,
    String(port),
  ],
  "http.server, the same script, kept alive": (port) => [
    PYTHON,
    "runtime/bench_peers/http_server.py",
    SCRIPT,
    String(port),
    "keep-alive",
  ],
  "Granian WSGI, a constant": (port) => [
    "runtime/.venv/bin/granian",
    "--interface=wsgi",
    "--workers=1",
    "--no-access-log",
    "--log-level=error",
    `--port=${port}`,
    "--working-dir=runtime/bench_peers",
    "wsgi_constant:application",
  ],
  "lambda_runtime, the hello script": (port) => [
    PYTHON,
    "-m",
    "lambda_runtime",
    SCRIPT,
    `--port=${port}`,
    "--health-port=0",
  ],
};

interface Load {
  requestsPerSecond: number;
  p99Ms: number;
  /** Requests that were cut off or answered with an error. */
  failed: number;
}

const measure = async (server: Server): Promise<Load> => {
  const port = await freePort();
  return withServer(onCore(SERVER_CORE, server(port)), {}, async () => {
    await listening(port);
    await wrk(port, 1);
    return wrk(port, SECONDS);
  });
};

const wrk = async (port: number, seconds: number): Promise<Load> => {
  const url = `http://127.0.0.1:${port}/?name=Martin`;
  const flags = [
    "--threads=1",
    `--connections=${CONNECTIONS}`,
    `--duration=${seconds}`,
    "--latency",
  ];
  const [file = "", ...args] = onCore(LOAD_CORE, ["wrk", ...flags, url]);
  return parseWrk((await spawn(file, args)).stdout);
};

const UNIT_MS: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };

/** Reads what wrk prints. */
export const parseWrk = (text: string): Load => {
  const number = (pattern: RegExp) => Number(text.match(pattern)?.[1] ?? 0);
  const [, p99, unit = ""] = text.match(/99%\s+([\d.]+)(us|ms|s)/) ?? [];
  const socketErrors = text.match(/Socket errors: (.+)/)?.[1]?.match(/\d+/g) ?? [];
  return {
    requestsPerSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p99Ms: Number(p99) * (UNIT_MS[unit] ?? Number.NaN),
    failed: socketErrors
      .map(Number)
      .reduce((a, b) => a + b, number(/Non-2xx or 3xx responses: (\d+)/)),
  };
};

/** Requests per second of each server in turn, several times over, on a core of its own; the medians and their ratios. */
export const benchRuntime = async (): Promise<string> => {
  const loads = new Map<string, Load[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, server] of Object.entries(servers)) {
      loads.set(name, [...(loads.get(name) ?? []), await measure(server)]);
    }
  }
  const rates = [...loads].map(([name, runs]) => ({
    name,
    rate: median(runs.map((run) => run.requestsPerSecond)),
    p99: median(runs.map((run) => run.p99Ms)),
    failed: runs.reduce((sum, run) => sum + run.failed, 0),
  }));
  const ours = rates.at(-1)?.rate ?? Number.NaN;
  return toTable([
    ["RUNTIME, one core", "requests/s", "p99 ms", "failed", "lambda_runtime is"],
    ...rates.map(({ name, rate, p99, failed }) => [
      name,
      rate.toFixed(0),
      p99.toFixed(1),
      String(failed),
      `${(ours / rate).toFixed(2)} times as fast`,
    ]),
  ]);
};
