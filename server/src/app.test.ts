import { describe, expect, test } from "vitest";
import { createApp, MAX_BODY_BYTES } from "./app.ts";
import type { LogFields } from "./log.ts";
import type { Hook } from "./metacontroller/hook.ts";

const makeApp = (call: Hook["call"] = async () => ({ status: 200, body: { children: [] } })) => {
  const lines: { level: string; fields: LogFields }[] = [];
  const state = { ready: true };
  const app = createApp({
    hooks: [{ controller: "thing", path: "/thing/sync", call }],
    log: (level, fields) => lines.push({ level, fields }),
    isReady: () => state.ready,
  });
  const post = (body: string) => app.request("/thing/sync", { method: "POST", body });
  return { app, post, lines, state };
};

const body = JSON.stringify({
  parent: { metadata: { namespace: "ns", name: "a", generation: 7 } },
});

describe("a hook call", () => {
  test("is answered with the hook's answer and logged on one line with its object", async () => {
    const { post, lines } = makeApp();
    const response = await post(body);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ children: [] });
    expect(lines).toMatchObject([
      {
        level: "info",
        fields: { controller: "thing", object: "ns/a", generation: 7, status: 200 },
      },
    ]);
    expect(lines[0]?.fields.durationMs).toBeTypeOf("number");
  });

  test("that the hook refuses is answered with its status and every issue, and logged with them", async () => {
    const issues = [{ path: "parent.spec", message: "is bad" }];
    const { post, lines } = makeApp(async () => ({
      status: 422,
      error: "InvalidRequest",
      message: "no",
      issues,
    }));
    const response = await post(body);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({ error: "InvalidRequest", message: "no", issues });
    expect(lines).toMatchObject([{ level: "warn", fields: { object: "ns/a", issues } }]);
  });

  test("in which the hook throws is a 500 that tells the caller nothing of the inside, and the log all", async () => {
    const error = new Error("bug");
    const { post, lines } = makeApp(async () => {
      throw error;
    });
    const response = await post(body);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("bug");
    expect(lines).toMatchObject([{ level: "error", fields: { err: error, object: "ns/a" } }]);
  });
});

describe("a request that is no hook call", () => {
  test.each([
    ["a body that is no JSON", "POST", "/thing/sync", "{", 400, "InvalidJson"],
    ["an empty body", "POST", "/thing/sync", "", 400, "InvalidJson"],
    [
      "a body over the limit",
      "POST",
      "/thing/sync",
      "x".repeat(MAX_BODY_BYTES + 1),
      413,
      "BodyTooLarge",
    ],
    ["a GET on a hook", "GET", "/thing/sync", undefined, 405, "MethodNotAllowed"],
    ["a DELETE on a hook", "DELETE", "/thing/sync", undefined, 405, "MethodNotAllowed"],
    ["a POST on /healthz", "POST", "/healthz", "", 405, "MethodNotAllowed"],
    ["an unknown path", "POST", "/other/sync", "{}", 404, "NotFound"],
  ])(
    "%s is a JSON error, one line of log, and the next call works",
    async (_, method, path, content, status, error) => {
      const { app, post, lines } = makeApp();
      const response = await app.request(path, {
        method,
        ...(content === undefined ? {} : { body: content }),
      });
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ error });
      expect(lines).toMatchObject([{ level: "warn", fields: { method, path, status, error } }]);
      expect((await post(body)).status).toBe(200);
    },
  );

  test("a body over the limit is refused also when its length is not told beforehand", async () => {
    const { app } = makeApp();
    const chunk = new Uint8Array(1024 * 1024);
    const stream = new ReadableStream({
      start: (controller) => {
        for (let sent = 0; sent <= MAX_BODY_BYTES; sent += chunk.length) {
          controller.enqueue(chunk);
        }
        controller.close();
      },
    });
    const request = new Request("http://localhost/thing/sync", {
      method: "POST",
      body: stream,
      duplex: "half",
    });
    expect((await app.request(request)).status).toBe(413);
  });

  test("a 405 names the method that is allowed", async () => {
    const { app } = makeApp();
    expect((await app.request("/thing/sync")).headers.get("allow")).toBe("POST");
    expect((await app.request("/readyz", { method: "PUT" })).headers.get("allow")).toBe("GET");
  });
});

describe("health", () => {
  test("is told by /healthz and /readyz, which are not logged", async () => {
    const { app, lines } = makeApp();
    expect((await app.request("/healthz")).status).toBe(200);
    expect((await app.request("/readyz")).status).toBe(200);
    expect(lines).toEqual([]);
  });

  test("a server that drains is alive but not ready, and closes its connections", async () => {
    const { app, post, state } = makeApp();
    expect((await post(body)).headers.get("connection")).toBeNull();
    state.ready = false;
    expect((await app.request("/healthz")).status).toBe(200);
    expect((await app.request("/readyz")).status).toBe(503);
    expect((await post(body)).headers.get("connection")).toBe("close");
  });
});
