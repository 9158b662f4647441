import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Issue } from "./issues.ts";
import { type Log, type LogEnv, logRequests } from "./log.ts";
import { type Hook, subjectOf } from "./metacontroller/hook.ts";

/** The largest request taken by default. A parent of 128 KiB with the ConfigMaps of its revisions is well below. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

interface Dependencies {
  hooks: readonly Hook[];
  log: Log;
  /** Whether new requests should be sent here: false from the moment that the server drains. */
  isReady: () => boolean;
  /** The largest request taken; 8 MiB by default. */
  maxBodyBytes?: number;
}

/**
 * The webhook server, apart from listening: a POST route for each hook, `GET /healthz` (it runs) and `GET /readyz` (send to
 * it). Any answer but 200 makes Metacontroller keep all children and try again, so every error is one, with a JSON body
 * `{error, message, issues?}` and one line of log.
 */
export const createApp = ({
  hooks,
  log,
  isReady,
  maxBodyBytes = MAX_BODY_BYTES,
}: Dependencies): Hono<LogEnv> => {
  const limitBody = bodyLimit({
    maxSize: maxBodyBytes,
    onError: (c) =>
      fail(c, 413, "BodyTooLarge", `the body must have at most ${maxBodyBytes} bytes`),
  });
  const app = new Hono<LogEnv>();
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", (c) =>
    isReady() ? c.json({ status: "ready" }) : c.json({ status: "draining" }, 503),
  );
  app.use(logRequests(log), async (c, next) => {
    await next();
    if (!isReady()) {
      c.header("Connection", "close");
    }
  });
  for (const hook of hooks) {
    app.post(hook.path, limitBody, (c) => callHook(c, hook));
    app.all(hook.path, (c) => refuseMethod(c, "POST"));
  }
  app.on(["POST", "PUT", "PATCH", "DELETE"], ["/healthz", "/readyz"], (c) =>
    refuseMethod(c, "GET"),
  );
  app.notFound((c) => {
    const paths = hooks.map(({ path }) => path).join(", ");
    return fail(c, 404, "NotFound", `there is no ${c.req.path} here; the hooks are at ${paths}`);
  });
  app.onError((error, c) => {
    c.set("logFields", { ...c.get("logFields"), err: error });
    return fail(c, 500, "InternalError", "the hook failed; the log says why");
  });
  return app;
};

const callHook = async (c: Context<LogEnv>, hook: Hook) => {
  const body = parseJson(await c.req.text());
  if (body === undefined) {
    return fail(c, 400, "InvalidJson", "the body must be JSON");
  }
  c.set("logFields", { controller: hook.controller, ...subjectOf(body) });
  const outcome = await hook.call(body);
  if (outcome.status !== 200) {
    return fail(c, outcome.status, outcome.error, outcome.message, outcome.issues);
  }
  return c.json(outcome.body);
};

/** The value that a JSON text stands for, or undefined, which none does. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const refuseMethod = (c: Context<LogEnv>, allowed: string) => {
  c.header("Allow", allowed);
  return fail(c, 405, "MethodNotAllowed", `use ${allowed}, not ${c.req.method}`);
};

/** Answers an error, and puts the same words on the log line. */
const fail = (
  c: Context,
  status: ContentfulStatusCode,
  error: string,
  message: string,
  issues?: Issue[],
) => {
  const body = { error, message, ...(issues ? { issues } : {}) };
  c.set("logFields", { ...c.get("logFields"), ...body });
  return c.json(body, status);
};
