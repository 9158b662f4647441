import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ensureApt } from "./apt.ts";
import { buildModules } from "./build-modules.ts";
import { cacheDir } from "./cache.ts";
import { becomes } from "./poll.ts";
import { isAlive, livingProcess } from "./processes.ts";
import { report, step } from "./progress.ts";
import { succeeds } from "./spawn.ts";
import { ensureCommands } from "./tools.ts";

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 60_000;

/**
 * Makes sure that a container engine answers: the one that `docker` reaches, or one of our own.
 *
 * @returns whether it was started by this call.
 * @throws where none is reachable and this process may not start one.
 */
export async function ensureEngine(): Promise<{ started: boolean }> {
  await ensureCommands(["docker"]);
  if (await isReachable()) return { started: false };
  const host = process.env.DOCKER_HOST;
  if (host)
    throw new Error(
      `No container engine answers at DOCKER_HOST=${host}. Start it, or unset the variable.`,
    );
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    throw new Error(
      "No container engine is reachable, and only root on Linux can start one here. Start Docker (`docker version` must show a server), or run this as root.",
    );
  }
  await ensureApt(["ca-certificates", "iptables"]);
  const { containerd, runc, dockerd } = await buildModules(["containerd", "runc", "dockerd"]);
  await step("engine", () => start(dockerd, [containerd, runc]));
  return { started: true };
}

/** Stops the engine that `ensureEngine` started in this or an earlier run; no other is touched. */
export async function stopEngine(): Promise<void> {
  const pid = await livingProcess(pidFile(), "dockerd");
  if (pid === undefined) return report("no engine of ours is running");
  process.kill(pid, "SIGTERM");
  if (!(await becomes(() => !isAlive(pid), STOP_TIMEOUT_MS))) {
    throw new Error(`The engine, process ${pid}, does not end`);
  }
  report("engine stopped");
}

async function start(dockerd: string, path: readonly string[]): Promise<void> {
  await mkdir(engineDir(), { recursive: true });
  const running = await livingProcess(pidFile(), "dockerd");
  const daemon = running === undefined ? await launch(dockerd, path) : undefined;
  let reachable = false;
  const settled = async (): Promise<boolean> => {
    reachable = await isReachable();
    return reachable || typeof daemon?.exitCode === "number";
  };
  await becomes(settled, START_TIMEOUT_MS);
  if (!reachable) throw await notStarted();
}

async function launch(dockerd: string, path: readonly string[]): Promise<ChildProcess> {
  await rm(pidFile(), { force: true });
  const log = await open(logFile(), "w");
  const daemon = spawn(join(dockerd, "dockerd"), daemonArguments(), {
    detached: true,
    env: { ...process.env, PATH: [...path, process.env.PATH].join(":") },
    stdio: ["ignore", log.fd, log.fd],
  });
  daemon.unref();
  await log.close();
  return daemon;
}

function daemonArguments(): string[] {
  return [
    "--feature=containerd-snapshotter=false",
    "--userland-proxy=false",
    `--data-root=${join(engineDir(), "data")}`,
    "--exec-root=/run/python-lambda-operator",
    `--pidfile=${pidFile()}`,
  ];
}

async function notStarted(): Promise<Error> {
  const log = existsSync(logFile()) ? await readFile(logFile(), "utf8") : "";
  return new Error(
    `The engine did not start. The end of ${logFile()}:\n${log.split("\n").slice(-15).join("\n")}`,
  );
}

function isReachable(): Promise<boolean> {
  return succeeds("docker", ["version", "--format={{.Server.Version}}"]);
}

const engineDir = (): string => join(cacheDir(), "engine");
const pidFile = (): string => join(engineDir(), "dockerd.pid");
const logFile = (): string => join(engineDir(), "dockerd.log");
