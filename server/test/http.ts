import { type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Asked {
  /** The host to ask for, without a port; `localhost` by default. */
  host?: string;
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** Sends one request to a port of this machine, on a connection of its own. */
export const send = (port: number, path: string, { host, method, headers, body }: Asked) =>
  new Promise<Answer>((resolve, reject) => {
    const outgoing = request({
      host: "127.0.0.1",
      port,
      path,
      method: method ?? "GET",
      agent: false,
      headers: { host: `${host ?? "localhost"}:${port}`, ...headers },
    });
    outgoing.on("error", reject).on("response", async (incoming) => {
      const { statusCode = 0, headers } = incoming;
      resolve({ status: statusCode, headers, body: await buffer(incoming) });
    });
    outgoing.end(body);
  });
