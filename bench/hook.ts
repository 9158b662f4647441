import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toTable } from "../server/src/dev/table.ts";
import { configMap, deployment, ingress, service } from "../server/src/python-lambda/resources.ts";
import { MAX_CODE_BYTES } from "../server/src/python-lambda/schema.ts";
import { lambda, readLambda, settings } from "../server/src/python-lambda/testing.ts";
import { settings as operatorSettings } from "../server/test/hooks.ts";
import { freePort, listening, peakMemoryMib, ROOT, withServer } from "./processes.ts";
import { median, quantile } from "./statistics.ts";

const WARM_UP_CALLS = 200;
const CALLS = 2_000;

/** A lambda of the largest code, as Metacontroller sends it with the four children that it has. */
const largestCall = () => {
  const line = 'text = "a line of some code, with the <quotes> that code has"\n';
  const code = line.repeat(MAX_CODE_BYTES / line.length + 1).slice(0, MAX_CODE_BYTES);
  const parent = readLambda({ code });
  const children = {
    "ConfigMap.v1": configMap(parent, "0123456789"),
    "Deployment.apps/v1": deployment(parent, "0123456789", settings()),
    "Service.v1": service(parent, settings()),
    "Ingress.networking.k8s.io/v1": ingress(parent, settings()),
  };
  const observed = Object.entries(children).map(([kind, child]) => [
    kind,
    { [child.metadata.name]: child },
  ]);
  return JSON.stringify({ parent: lambda({ code }), children: Object.fromEntries(observed) });
};

const agent = new Agent({ keepAlive: true });

const timedCall = async (url: string, body: Buffer): Promise<number> => {
  const startedMs = performance.now();
  const outgoing = request(url, {
    method: "POST",
    agent,
    headers: { "content-length": body.length },
  });
  outgoing.end(body);
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  await once(answer.resume(), "end");
  if (answer.statusCode !== 200) {
    throw new Error(`the hook answered ${answer.statusCode}`);
  }
  return performance.now() - startedMs;
};

/** The environment that the server's image sets, with the defaults of its build arguments. */
const environmentOfImage = async (): Promise<Record<string, string>> => {
  const dockerfile = await readFile(join(ROOT, "server/Dockerfile"), "utf8");
  const defaults = new Map(
    [...dockerfile.matchAll(/^ARG (\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
  const [, block = ""] = dockerfile.match(/^ENV ((?:.*\\\n)*.*)$/m) ?? [];
  const pairs = block
    .replaceAll(/\$\{(\w+)\}/g, (_, name) => defaults.get(name) ?? "")
    .matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g);
  return Object.fromEntries([...pairs].map(([, name, quoted, plain]) => [name, quoted ?? plain]));
};

/** How long the sync hook takes for the largest lambda, over HTTP, and the memory of the webhook server after it: started twice, as in its
 * image, so that Node finds its compiled code. */
export const benchHook = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "python-lambda-bench-"));
  const file = join(folder, "settings.json");
  await writeFile(file, JSON.stringify(operatorSettings));
  const port = await freePort();
  const command = [join(ROOT, "node_modules/node/bin/node"), "server/src/main.ts"];
  const env = {
    ...(await environmentOfImage()),
    NODE_COMPILE_CACHE: join(folder, "compile-cache"),
    PORT: String(port),
    SETTINGS_FILE: file,
  };
  try {
    await withServer(command, env, () => listening(port));
    return await withServer(command, env, async ({ pid = 0 }) => {
      await listening(port);
      const url = `http://127.0.0.1:${port}/python-lambda/sync`;
      const body = Buffer.from(largestCall());
      for (let call = 0; call < WARM_UP_CALLS; call++) {
        await timedCall(url, body);
      }
      const timesMs: number[] = [];
      for (let call = 0; call < CALLS; call++) {
        timesMs.push(await timedCall(url, body));
      }
      const millis = (time: number) => time.toFixed(2);
      const mib = peakMemoryMib(pid).toFixed(0);
      return toTable([
        ["HOOK, 128 KiB of code, 4 children", "p50 ms", "p99 ms", "peak MiB"],
        [`${CALLS} calls`, millis(median(timesMs)), millis(quantile(timesMs, 0.99)), mib],
      ]);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
};
