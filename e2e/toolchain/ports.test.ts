import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { freePort } from "./ports.ts";

test("a port that is taken is refused, with its number and what to do", async () => {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await expect(freePort(port)).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken. Stop`);
  await new Promise((closed) => server.close(closed));
  expect(await freePort(port)).toBe(port);
});

test("without a wish there is always a port", async () => {
  expect(await freePort()).toBeGreaterThan(0);
});
