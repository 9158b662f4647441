import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const ROOT = join(import.meta.dirname, "..");

const START_TIMEOUT_MS = 10_000;

/** A TCP port of the loopback interface that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
};

/** Resolves when something listens on a port of the loopback interface. */
export const listening = async (port: number): Promise<void> => {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadlineMs) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) {
      return;
    }
    await sleep(10);
  }
  throw new Error(`nothing listens on port ${port} after ${START_TIMEOUT_MS} ms`);
};

/** A command held to one core, so that servers are compared by what they do with it; as it is where there is but one. */
export const onCore = (core: number, command: readonly string[]): string[] =>
  availableParallelism() > 1 ? ["taskset", "--cpu-list", String(core), ...command] : [...command];

/** Runs a server for the time of `use`, then ends it. */
export const withServer = async <T>(
  command: readonly string[],
  env: Record<string, string>,
  use: (server: ChildProcess) => Promise<T>,
): Promise<T> => {
  const [file = "", ...args] = command;
  const child = spawn(file, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "close");
  try {
    return await Promise.race([
      use(child),
      ended.then(([status]) => {
        throw new Error(`${command.join(" ")} ended with status ${status}`);
      }),
    ]);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
};

/** The most memory that a process has held so far, in MiB: https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
export const peakMemoryMib = (pid: number): number => {
  const [, kib] = readFileSync(`/proc/${pid}/status`, "utf8").match(/VmHWM:\s+(\d+)/) ?? [];
  return Number(kib) / 1024;
};
