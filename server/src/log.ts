import type { MiddlewareHandler } from "hono";

export type LogFields = Record<string, unknown>;

/** Writes one line. The level follows who has to look at it: nobody, the caller, or we. */
export type Log = (level: "info" | "warn" | "error", fields: LogFields, message: string) => void;

/** What a handler adds to the line of its request, by `c.set("logFields", ...)`. */
export interface LogEnv {
  Variables: { logFields: LogFields };
}

const FIRST_CLIENT_ERROR = 400;
const FIRST_SERVER_ERROR = 500;

/** Logs one line a request, when it has been answered: method, path, status, duration, and an unforeseen error with its stack. */
export const logRequests =
  (log: Log): MiddlewareHandler<LogEnv> =>
  async (c, next) => {
    const startedMs = performance.now();
    c.set("logFields", {});
    await next();
    const { status } = c.res;
    const durationMs = Math.round((performance.now() - startedMs) * 10) / 10;
    const { method, path } = c.req;
    log(
      levelOf(status),
      { method, path, status, durationMs, ...c.get("logFields") },
      `${method} ${path} ${status}`,
    );
  };

const levelOf = (status: number) => {
  if (status >= FIRST_SERVER_ERROR) {
    return "error";
  }
  return status >= FIRST_CLIENT_ERROR ? "warn" : "info";
};
