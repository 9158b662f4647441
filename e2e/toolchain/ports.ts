import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

const FAVOURITE_PORT = 8080;

/**
 * A free port of 127.0.0.1: the one asked for, else 8080 if it is free, else any.
 *
 * @throws where the port asked for is taken.
 */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted === undefined) return (await tryPort(FAVOURITE_PORT)) ?? (await tryPort(0)) ?? 0;
  const port = await tryPort(wanted);
  if (port !== undefined) return port;
  throw new Error(
    `Port ${wanted} of 127.0.0.1 is taken. Stop what listens there (ss -ltnp shows it), or choose another with --http-port.`,
  );
}

async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
    return (server.address() as AddressInfo).port;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}
