// Serves the webhook app on Deno, for the test that it answers as on Node. Prints its port on a line, then the log.
import { createApp } from "../../src/app.ts";
import { hooks } from "../hooks.ts";

const app = createApp({
  hooks,
  log: (level, fields, message) => console.log(JSON.stringify({ level, message, ...fields })),
  isReady: () => true,
});

Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(port) },
  app.fetch,
);
