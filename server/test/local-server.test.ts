import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "./eventually.ts";
import { makeFolder, manifest, npmStart, ROOT } from "./npm-start.ts";

const ANY_PORT = "--port=0";
const example = (name: string) => join(ROOT, "examples", name);

describe("npm start", () => {
  test("serves the examples, shows a table of them, and leaves no process behind on Ctrl-C", async () => {
    const server = npmStart([ANY_PORT]);
    await server.printed(/^LAMBDA +URL +STATE\n/m);
    await server.printed(/^hello +http:\/\/localhost:\d+\/ +ready \(script\)$/m);

    const hello = await server.ask("/?name=Martin");
    expect(hello.status).toBe(200);
    expect(hello.body.toString()).toBe("Hello Martin! Your name in reverse is nitraM\n");

    const json = await server.ask("/?text=a+longer+word", { host: "json.localhost" });
    expect(json.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(json.body.toString())).toEqual({ words: 3, longest: "longer" });

    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const post = { host: "post.localhost", method: "POST", headers: { "content-type": "image/x" } };
    const echo = await server.ask("/", { ...post, body: bytes });
    expect(echo.body).toEqual(bytes);
    expect(echo.headers["content-type"]).toBe("image/x");
    const refused = await server.ask("/", { host: "post.localhost" });
    expect([refused.status, refused.headers.allow]).toEqual([405, "POST"]);

    const naps = await server.ask("/?nap=0.01&nap=0.02", { host: "async.localhost" });
    expect(JSON.parse(naps.body.toString())).toEqual({ naps: [0.01, 0.02] });

    expect(server.processes()).not.toEqual([]);
    await server.interrupt();
    expect(server.processes()).toEqual([]);
  });

  test("tells for a host that no lambda has which ones there are", async () => {
    const server = npmStart([example("hello.yaml"), ANY_PORT]);
    const answer = await server.ask("/", { host: "other.localhost" });
    expect(answer.status).toBe(404);
    expect(answer.body.toString()).toContain(
      "no lambda has the host other.localhost; there are localhost",
    );
  });

  test("serves several documents of one file and the files of a folder", async () => {
    const { folder, write } = makeFolder();
    write(
      "two.yaml",
      `${manifest("a", "output='A'")}\n---\n${manifest("b", "output='B'", { host: "b.localhost" })}`,
    );
    const server = npmStart([folder, example("json.yaml"), ANY_PORT]);
    await server.printed(/^json /m);
    expect((await server.ask("/")).body.toString()).toBe("A");
    expect((await server.ask("/", { host: "b.localhost" })).body.toString()).toBe("B");
    expect((await server.ask("/", { host: "json.localhost" })).status).toBe(200);
  });
});

describe("a file that is saved", () => {
  test("is live, and bad code leaves the last good code serving and shows its traceback", async () => {
    const { write } = makeFolder();
    const file = write("a.yaml", manifest("a", "output = 'one'"));
    const server = npmStart([file, ANY_PORT]);
    expect((await server.ask("/")).body.toString()).toBe("one");

    write("a.yaml", manifest("a", "output = 'two'"));
    const answer = async () => (await server.ask("/")).body.toString();
    await eventually(async () => ((await answer()) === "two" ? true : undefined), server.output);

    write("a.yaml", manifest("a", "output = 'three'\nif x\n  pass"));
    await server.printed(/^a +\S+ +SyntaxError at line 2: the last good code goes on serving$/m);
    expect(server.output()).toMatch(/^a \| +if x\na \| +\^\na \| SyntaxError: expected ':'$/m);
    expect(await answer()).toBe("two");

    write("a.yaml", "kind: [");
    await server.printed(/a\.yaml:1:\d+: .+/);
    expect(await answer()).toBe("two");

    write("a.yaml", manifest("a", "output = 'four'"));
    await eventually(async () => ((await answer()) === "four" ? true : undefined), server.output);
  });

  test("fails no request while it is loaded", async () => {
    const { write } = makeFolder();
    const file = write("a.yaml", manifest("a", "output = '0'"));
    const server = npmStart([file, ANY_PORT]);
    for (const revision of ["1", "2", "3", "4", "5"]) {
      write("a.yaml", manifest("a", `output = '${revision}'`));
      await eventually(async () => {
        const { status, body } = await server.ask("/");
        expect(status).toBe(200);
        return body.toString() === revision ? true : undefined;
      }, server.output);
    }
  });

  test("brings lambdas and takes them away, and moves them to other hosts", async () => {
    const { folder, write } = makeFolder();
    write("a.yaml", manifest("a", "output = 'a'"));
    const server = npmStart([folder, ANY_PORT]);
    const statusOf = async (host: string) => (await server.ask("/", { host })).status;
    const becomes = (host: string, status: number) =>
      eventually(async () => ((await statusOf(host)) === status ? true : undefined), server.output);

    write("b.yaml", manifest("b", "output = 'b'", { host: "b.localhost" }));
    await becomes("b.localhost", 200);
    write("b.yaml", manifest("b", "output = 'b'", { host: "c.localhost" }));
    await becomes("c.localhost", 200);
    expect(await statusOf("b.localhost")).toBe(404);
    rmSync(join(folder, "b.yaml"));
    await becomes("c.localhost", 404);
    expect(await statusOf("localhost")).toBe(200);
  });

  test("brings a lambda to life whose code did not load at first", async () => {
    const { write } = makeFolder();
    const file = write(
      "a.yaml",
      manifest("a", "import nothing_of_this_name\ndef handler(request): pass"),
    );
    const server = npmStart([file, ANY_PORT]);
    await server.printed(/^a +\S+ +ModuleNotFoundError at line 1: fix it and save$/m);
    const failed = await server.ask("/");
    expect(failed.status).toBe(503);
    expect(failed.body.toString()).toContain(
      "lambda a cannot serve: ModuleNotFoundError at line 1",
    );
    write("a.yaml", manifest("a", "output = 'well'"));
    await server.printed(/^a +\S+ +ready/m);
    expect((await server.ask("/")).body.toString()).toBe("well");
  });

  test("is not needed for a lambda that ends its own process: it is started again", async () => {
    const { write } = makeFolder();
    const file = write(
      "a.yaml",
      manifest("a", "import os\nif query_params: os._exit(3)\noutput = 'alive'"),
    );
    const server = npmStart([file, ANY_PORT]);
    expect((await server.ask("/?die=1")).status).toBe(502);
    await eventually(
      async () => ((await server.ask("/")).body.toString() === "alive" ? true : undefined),
      server.output,
    );
  });
});

describe("what cannot be served is told in one line, with exit status 2:", () => {
  const fails = async (args: string[], expected: RegExp, env: Record<string, string> = {}) => {
    const server = npmStart(args, env);
    expect(await server.exited).toBe(2);
    expect(server.output()).toMatch(expected);
    expect(server.processes()).toEqual([]);
  };

  test("YAML that does not parse", async () => {
    const { write } = makeFolder();
    await fails([write("bad.yaml", "a:\n  - b\n c: d\n")], /^\S+bad\.yaml:3:\d: [^\n]+\n/);
  });

  test("a file with no lambda", async () => {
    const { write } = makeFolder();
    await fails([write("x.yaml", "kind: Secret")], /^\S+x\.yaml: there is no PythonLambda in it\n/);
  });

  test("a file that is not there", async () => {
    await fails(["no-such.yaml"], /^no-such\.yaml: there is no such file or folder\n/);
  });

  test("a port that is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await once(taken, "listening");
    const { port } = taken.address() as { port: number };
    await fails(
      [example("hello.yaml"), `--port=${port}`],
      new RegExp(`^port ${port} is taken: free it, or choose another with --port\n$`),
    );
  });

  test.each(["--port=x", "--port=65536", "--prot=1"])(
    "a mistyped command line: %s",
    async (argument) => {
      await fails([argument], /--p(or|ro)t.*\nusage: npm start/);
    },
  );

  test("no python3", async () => {
    const { folder } = makeFolder();
    for (const command of ["sh", "env", "node", "npm"]) {
      const path = execFileSync("sh", ["-c", `command -v ${command}`], { encoding: "utf8" });
      symlinkSync(path.trim(), join(folder, command));
    }
    await fails([], /^setup: no python3 of version 3\.11 or newer on PATH: install it/, {
      PATH: folder,
    });
  });
});

describe("where some can be served, they are:", () => {
  test("two lambdas on one host are both named, and the first is served", async () => {
    const { write } = makeFolder();
    const first = write("1.yaml", manifest("one", "output = '1'"));
    const second = write("2.yaml", manifest("two", "output = 2"));
    const server = npmStart([first, second, ANY_PORT]);
    expect((await server.ask("/")).body.toString()).toBe("1");
    expect(server.output()).toContain(
      `${second}:1: lambda two has the host localhost, which lambda one at ${first}:1 has already`,
    );
  });

  test("a bad file beside a good one", async () => {
    const { write } = makeFolder();
    const bad = write("bad.yaml", manifest("bad", "output = 1", { replicas: -1 }));
    const server = npmStart([bad, example("hello.yaml"), ANY_PORT]);
    expect((await server.ask("/")).status).toBe(200);
    expect(server.output()).toMatch(/bad\.yaml:1:\d+: spec\.replicas must be at least 0\n/);
  });
});
