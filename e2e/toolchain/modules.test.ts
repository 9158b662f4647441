import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildArguments, GO_MODULES, requiredVersion } from "./modules.ts";

const MODULES_DIR = join(import.meta.dirname, "modules");

describe("a module's version", () => {
  test("is read from a line of its own", () => {
    expect(requiredVersion("module x\n\nrequire example.com/y v1.2.3\n", "example.com/y")).toBe(
      "v1.2.3",
    );
  });

  test("is read from a block, past longer paths that start alike", () => {
    const goMod = "require (\n\texample.com/y/z v9.9.9\n\texample.com/y v1.2.3 // indirect\n)\n";
    expect(requiredVersion(goMod, "example.com/y")).toBe("v1.2.3");
  });

  test("is not looked for in tool lines, which may name the same path", () => {
    const goMod = "tool (\n\texample.com/y\n)\n\nrequire example.com/y v1.2.3\n";
    expect(requiredVersion(goMod, "example.com/y")).toBe("v1.2.3");
  });

  test("is missed where nothing requires the module", () => {
    const goMod = "tool example.com/y\n\nreplace example.com/y => example.com/z v1.2.3\n";
    expect(() => requiredVersion(goMod, "example.com/y")).toThrow("requires no example.com/y");
  });
});

describe("the modules", () => {
  test("have a folder each, and each folder is in the list", async () => {
    expect((await readdir(MODULES_DIR)).sort()).toEqual(Object.keys(GO_MODULES).sort());
  });

  test.each(Object.entries(GO_MODULES))("%s requires what it names", async (name, { path }) => {
    const goMod = await readFile(join(MODULES_DIR, name, "go.mod"), "utf8");
    expect(requiredVersion(goMod, path)).toMatch(/^v\d/);
    expect(goMod).toMatch(/^tool /m);
  });
});

test("the build stamps the version into the binaries and names its folder", () => {
  expect(buildArguments(GO_MODULES.kubernetes, "v1.36.3", "/out")).toEqual([
    "build",
    "-trimpath",
    "-buildvcs=false",
    "-ldflags=-s -w -X=k8s.io/component-base/version.gitVersion=v1.36.3 -X=k8s.io/component-base/version.gitMajor=1 -X=k8s.io/component-base/version.gitMinor=36",
    "-o=/out/",
    "tool",
  ]);
  expect(buildArguments(GO_MODULES.runc, "v1.5.2", "/out")).toContain("-tags=seccomp");
});
