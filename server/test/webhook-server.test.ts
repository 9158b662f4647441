import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { createApp } from "../src/app.ts";
import { eventually } from "./eventually.ts";
import { hooks, settings } from "./hooks.ts";
import { makeFolder, ROOT } from "./npm-start.ts";

interface HookCall {
  title: string;
  path: string;
  body: object;
}

const hookCalls: HookCall[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "testdata/hook-calls.json"), "utf8"),
);

/** Starts a program of ours and ends it with the test. */
const start = (command: string, args: readonly string[], env: Record<string, string> = {}) => {
  const child = spawn(join(ROOT, "node_modules/.bin", command), args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
  }
  const exited = once(child, "close").then(([status]) => status);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const printed = (pattern: RegExp) =>
    eventually(
      () => output.match(pattern) ?? undefined,
      () => `it prints ${pattern}; it printed:\n${output}`,
    );
  return { child, exited, printed, output: () => output };
};

const startServer = async () => {
  const { write } = makeFolder();
  const file = write("settings.json", JSON.stringify(settings));
  const server = start("node", ["server/src/main.ts"], { PORT: "0", SETTINGS_FILE: file });
  const [, port] = await server.printed(/"port":(\d+)/);
  return { ...server, port: Number(port) };
};

const post = (port: number, path: string, body: object) =>
  fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body: JSON.stringify(body) });

describe("the webhook server on Deno", () => {
  test("gives the same answers as the app itself, with no right but that to its socket", async () => {
    const app = createApp({
      hooks,
      log: () => {},
      isReady: () => true,
    });
    const flags = ["--cached-only", "--no-lock", "--allow-net=127.0.0.1"];
    const deno = start("deno", ["run", ...flags, "server/test/deno/serve.ts"]);
    const [, port] = await deno.printed(/^(\d+)$/m);
    expect(hookCalls.length).toBeGreaterThan(3);
    for (const { title, path, body } of hookCalls) {
      const here = await app.request(path, { method: "POST", body: JSON.stringify(body) });
      const there = await post(Number(port), path, body);
      expect(there.status, title).toBe(here.status);
      expect(await there.json(), title).toEqual(await here.json());
    }
  });
});

describe("the webhook server on Node", () => {
  test("answers hook calls and logs a JSON line for each", async () => {
    const server = await startServer();
    for (const { title, path, body } of hookCalls) {
      const answer = await post(server.port, path, body);
      expect([200, 422], title).toContain(answer.status);
    }
    const messages = await eventually(() => {
      const lines = server.output().trim().split("\n");
      return lines.length > hookCalls.length
        ? lines.map((line) => JSON.parse(line).msg)
        : undefined;
    }, server.output);
    expect(messages).toEqual([
      "listening",
      ...hookCalls.map(({ path }) => expect.stringMatching(`^POST ${path} (200|422)$`)),
    ]);
    expect(server.output()).toContain('"controller":"python-lambda","object":"default/hello"');
  });

  test("answers what is under way when it is told to end, takes no more, and ends", async () => {
    const server = await startServer();
    const [call] = hookCalls;
    const body = JSON.stringify(call?.body);
    const outgoing = request({
      port: server.port,
      host: "127.0.0.1",
      path: call?.path,
      method: "POST",
      agent: new Agent({ keepAlive: true }),
      headers: { "content-length": body.length },
    });
    outgoing.write(body.slice(0, 10));
    await once(outgoing, "socket").then(([socket]) => socket.connecting && once(socket, "connect"));
    await fetch(`http://127.0.0.1:${server.port}/healthz`, { headers: { connection: "close" } });

    server.child.kill("SIGTERM");
    await server.printed(/"draining"/);
    await expect(fetch(`http://127.0.0.1:${server.port}/healthz`)).rejects.toThrow();

    outgoing.end(body.slice(10));
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    expect(incoming.statusCode).toBe(200);
    expect(incoming.headers.connection).toBe("close");
    expect(JSON.parse(await text(incoming)).children).toHaveLength(4);
    expect(await server.exited).toBe(0);
    expect(server.output()).toContain('"drained"');
  });

  test.each([
    ["no settings file", {}, "SETTINGS_FILE is not set"],
    ["a settings file that is not there", { SETTINGS_FILE: "no-such-file" }, "no-such-file"],
    [
      "a settings file that is no JSON",
      { SETTINGS_FILE: "README.md" },
      "README.md holds no valid settings: must be JSON",
    ],
    ["settings that nobody knows", { SETTINGS_FILE: "package.json" }, "pythonLambda is missing"],
  ])("ends with status 1 and says so for %s", async (_, env, message) => {
    const server = start("node", ["server/src/main.ts"], env);
    expect(await server.exited).toBe(1);
    expect(server.output()).toContain(message);
  });
});
