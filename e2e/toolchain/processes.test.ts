import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAlive, livingProcess } from "./processes.ts";

const PROGRAM = basename(process.execPath);
const NO_PID = 2 ** 22 + 1;
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "processes-"));
});

afterAll(() => rm(dir, { recursive: true }));

async function pidFile(content: string): Promise<string> {
  const path = join(dir, "pid");
  await writeFile(path, content);
  return path;
}

describe.runIf(process.platform === "linux")("a pid file", () => {
  test("names a living process of the program", async () => {
    expect(await livingProcess(await pidFile(`${process.pid}\n`), PROGRAM)).toBe(process.pid);
  });

  test("is stale when its process is gone", async () => {
    expect(await livingProcess(await pidFile(String(NO_PID)), PROGRAM)).toBeUndefined();
  });

  test("is stale when its number has gone to another program", async () => {
    expect(await livingProcess(await pidFile(String(process.pid)), "dockerd")).toBeUndefined();
  });

  test.each(["", "abc", "-1", "0"])("is stale when it says %j", async (content) => {
    expect(await livingProcess(await pidFile(content), PROGRAM)).toBeUndefined();
  });

  test("is stale when it is not there", async () => {
    expect(await livingProcess(join(dir, "none"), PROGRAM)).toBeUndefined();
  });
});

test("a process is alive or not", () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(NO_PID)).toBe(false);
});
