import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream";

/** Where the requests for a host go: a port on the loopback interface, or the reason why there is none. */
export type Target = { port: number } | { status: 404 | 503; error: string; message: string };

const LOOPBACK = "127.0.0.1";

/** Headers that are between two neighbours and not to be passed on: RFC 9110, section 7.6.1. */
const HOP_BY_HOP = new Set(["connection", "keep-alive", "proxy-connection"]);

/** An HTTP server that passes each request on, streaming both ways, to where `route` says that its host is. */
export const createProxy = (route: (host: string) => Target): Server =>
  createServer((incoming, response) => {
    const target = route(hostOf(incoming));
    if ("port" in target) {
      forward(incoming, response, target.port);
    } else {
      const { status, ...body } = target;
      answer(response, status, body);
    }
  });

/** The host that a request asks for, without its port. Asked for by address, this machine is `localhost`. */
const hostOf = ({ headers }: IncomingMessage): string => {
  const { hostname } = URL.parse(`http://${headers.host ?? ""}`) ?? { hostname: "" };
  return [LOOPBACK, "[::1]", ""].includes(hostname) ? "localhost" : hostname;
};

const forward = (incoming: IncomingMessage, response: ServerResponse, port: number) => {
  const { method, url: path, rawHeaders } = incoming;
  const outgoing = request({
    host: LOOPBACK,
    port,
    method,
    path,
    headers: endToEnd(rawHeaders),
    setHost: false,
    agent: false,
  });
  outgoing.on("response", (answered) => {
    const { statusCode = 502, statusMessage, rawHeaders } = answered;
    response.writeHead(statusCode, statusMessage, endToEnd(rawHeaders));
    pipeline(answered, response, () => {});
  });
  outgoing.on("error", ({ message }) => {
    if (response.headersSent) {
      response.destroy();
    } else {
      answer(response, 502, {
        error: "BadGateway",
        message: `the lambda did not answer: ${message}`,
      });
    }
  });
  response.on("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
};

/** Raw headers, `[name, value, name, value, ...]`, less those between neighbours: repeated ones and their case are kept. */
const endToEnd = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.filter(
    (_, index) => !HOP_BY_HOP.has(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ""),
  );

const answer = (response: ServerResponse, status: number, body: object) => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(`${JSON.stringify(body)}\n`);
};
