// Measures the parts that a person waits for, each beside a peer in the same run, and prints them as tables.
// Figures of one machine at one time: read the ratios.
import { cpus } from "node:os";
import { benchHook } from "./hook.ts";
import { benchLocalStart } from "./local-start.ts";
import { benchRuntime } from "./runtime.ts";

const benches = { runtime: benchRuntime, hook: benchHook, "local-start": benchLocalStart };

const say = (text: string) => process.stdout.write(`${text}\n`);

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in benches));
if (unknown.length > 0) {
  say(`no benchmark ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}

say(`${cpus().length} cores, ${cpus()[0]?.model}, node ${process.version}\n`);
for (const [name, bench] of Object.entries(benches)) {
  if (names.length === 0 || names.includes(name)) {
    say(`${await bench()}\n`);
  }
}
