import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cacheDir, cached, cacheKey } from "./cache.ts";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "cache-"));
  vi.stubEnv("XDG_CACHE_HOME", home);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true });
});

test("the cache folder is under XDG_CACHE_HOME, else under ~/.cache", () => {
  expect(cacheDir({ XDG_CACHE_HOME: "/x" })).toBe("/x/python-lambda-operator");
  expect(cacheDir({})).toMatch(/\/\.cache\/python-lambda-operator$/);
});

test("a key changes with any of its inputs, and with nothing else", () => {
  expect(cacheKey(["a", { b: 1 }])).toBe(cacheKey(["a", { b: 1 }]));
  expect(cacheKey(["a", { b: 1 }])).not.toBe(cacheKey(["a", { b: 2 }]));
  expect(cacheKey(["ab", ""])).not.toBe(cacheKey(["a", "b"]));
});

describe("a part", () => {
  const write = (text: string) => (dir: string) => writeFile(join(dir, "file"), text);

  test("is built once a key", async () => {
    const first = await cached("part", "1", write("first"));
    expect(await cached("part", "1", write("second"))).toBe(first);
    expect(await readFile(join(first, "file"), "utf8")).toBe("first");
  });

  test("is built again for another key, beside the first", async () => {
    const first = await cached("part", "1", write("first"));
    const second = await cached("part", "2", write("second"));
    expect(await readFile(join(second, "file"), "utf8")).toBe("second");
    expect(existsSync(first)).toBe(true);
  });

  test("whose build fails is not there, and says which it is", async () => {
    const fail = () => Promise.reject(new Error("no luck"));
    await expect(cached("part", "1", fail)).rejects.toThrow("part: no luck");
    const built = await cached("part", "1", write("second try"));
    expect(await readdir(built)).toEqual(["file"]);
  });

  test("whose build was cut off is built anew, and what was left of it goes", async () => {
    const leftover = join(cacheDir(), "parts", "unfinished.part.0");
    await mkdir(leftover, { recursive: true });
    await cached("part", "1", write("whole"));
    expect(await readdir(join(cacheDir(), "parts"))).toEqual(["part-1"]);
  });
});
