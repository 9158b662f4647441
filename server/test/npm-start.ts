import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { eventually } from "./eventually.ts";
import { type Asked, send } from "./http.ts";

export const ROOT = join(import.meta.dirname, "../..");

/** A new empty folder, gone when the test ends, and a function that writes files into it. */
export const makeFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "python-lambda-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, content: string) => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  return { folder, write };
};

/** A PythonLambda manifest with this code. */
export const manifest = (name: string, code: string, spec: object = {}): string =>
  JSON.stringify({
    apiVersion: "example.com/v1",
    kind: "PythonLambda",
    metadata: { name },
    spec: { code, ...spec },
  });

/**
 * Runs `npm start -- <args>` in a process group of its own, as a terminal gives it one, and ends it with the test. It puts its
 * temporary files into a folder of the test's, which is in the command line of each of its processes.
 */
export const npmStart = (args: readonly string[], env: Record<string, string> = {}) => {
  const { folder } = makeFolder();
  const child = spawn("npm", ["start", "--silent", "--", ...args], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
  }
  const exited = new Promise<number | null>((resolve) => child.on("close", resolve));

  /** Ctrl-C: SIGINT to all of the group. Resolves when npm has ended. */
  const interrupt = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      process.kill(-child.pid, "SIGINT");
    }
    await exited;
  };
  onTestFinished(interrupt);

  const printed = (pattern: RegExp) =>
    eventually(
      () => output.match(pattern) ?? undefined,
      () => `it prints ${pattern}; it printed:\n${output}`,
    );

  /** The command lines of the lambdas' processes that are alive. */
  const processes = () =>
    execFileSync("ps", ["-eo", "args="], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes(folder));

  const ask = async (path: string, asked: Asked = {}) => {
    const [, port] = await printed(/http:\/\/[^/]+:(\d+)\//);
    return send(Number(port), path, asked);
  };

  return { output: () => output, printed, ask, interrupt, exited, processes };
};
