import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../toolchain/spawn.ts";
import { ensureHelm, find, ROOT, render } from "./helm.ts";

/** The generated files, which the walk-through has made by `npm run generate`. */
const GENERATED = /-crd\.yaml$/;
const FOLLOW_TIMEOUT_MS = 180_000;

const page = await readFile(join(ROOT, "docs/add-a-controller.md"), "utf8");

/** The page's pieces of code, each with the file that it is from. */
const pieces = [...page.matchAll(/^```\w+ (\S+)\n([^`]*(?:`[^`]+)*?)^```$/gm)].map(
  ([, path = "", text = ""]) => ({ path, text }),
);

/** What is not the project's own. */
const FOREIGN = ["node_modules", ".git", ".venv", "artifacts"];

/** A copy of the project, in which the page is followed. */
const copy = await mkdtemp(join(tmpdir(), "add-a-controller-"));
await cp(ROOT, copy, { recursive: true, filter: (path) => !FOREIGN.includes(basename(path)) });
await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));

const ownFiles = (await readdir(copy, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => relative(copy, join(parentPath, name)))
  .filter((path) => /hello[-_]world/.test(path));

/** A text with another kind's name in place of HelloWorld's, in all spellings. */
const rename = (text: string): string =>
  [
    ["HelloWorld", "GoodBye"],
    ["helloWorld", "goodBye"],
    ["hello-world", "good-bye"],
    ["hello_world", "good_bye"],
    ["helloworld", "goodbye"],
    ["HELLO_WORLD", "GOOD_BYE"],
  ].reduce((renamed, [from = "", to = ""]) => renamed.replaceAll(from, to), text);

/** Follows the page for a kind called GoodBye. */
const follow = async (): Promise<void> => {
  for (const path of ownFiles.filter((path) => !GENERATED.test(path))) {
    await mkdir(join(copy, dirname(rename(path))), { recursive: true });
    await writeFile(join(copy, rename(path)), rename(await readFile(join(copy, path), "utf8")));
  }
  for (const { path, text } of pieces.filter(({ path }) => !ownFiles.includes(path))) {
    const before = await readFile(join(copy, path), "utf8");
    await writeFile(
      join(copy, path),
      before.replace(text, () => text + rename(text)),
    );
  }
};

beforeAll(ensureHelm, 15 * 60_000);
afterAll(() => rm(copy, { recursive: true }));

describe("docs/add-a-controller.md", () => {
  it("shows each piece as it is in its file", async () => {
    expect(pieces.length).toBeGreaterThan(15);
    for (const { path, text } of pieces) {
      expect(await readFile(join(ROOT, path), "utf8"), path).toContain(text);
    }
  });

  it("names every file of HelloWorld, and none that is not there", () => {
    const named = [...page.matchAll(/\*\*`([^`]+)`\*\*/g)].map(([, path]) => path);
    expect(named.toSorted()).toEqual(ownFiles.toSorted());
  });

  it(
    "leads to a controller that passes its tests, and to a chart that has it",
    async () => {
      await follow();
      const here = (command: string, ...args: string[]) =>
        run(join(ROOT, "node_modules/.bin", command), args, { cwd: copy });
      await here("node", "scripts/generate.ts");
      await here("tsc");
      const tests = ["server/src/good-bye", "scripts/generate.test.ts"];
      const said = await here("vitest", "run", "--project=unit", ...tests);
      expect(said).toContain("server/src/good-bye/controller.test.ts");

      const manifests = await render(join(copy, "charts/python-lambda-operator"));
      const crd = find(manifests, "CustomResourceDefinition", "goodbyes.example.com");
      expect(crd.spec.names.kind).toBe("GoodBye");
      const { webhook } = find(manifests, "CompositeController", "good-bye").spec.hooks.sync;
      expect(webhook.url).toMatch(/\/good-bye\/sync$/);
      const settings = JSON.parse(find(manifests, "ConfigMap").data["settings.json"]);
      expect(settings.goodBye).toEqual(settings.helloWorld);
    },
    FOLLOW_TIMEOUT_MS,
  );
});
