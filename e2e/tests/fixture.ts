import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test as base, inject } from "vitest";
import { eventually } from "../../server/test/eventually.ts";
import { type Answer, type Asked, send } from "../../server/test/http.ts";
import { helmFor, kubectlFor } from "../stack/kubectl.ts";
import { OPERATOR_NAMESPACE, OPERATOR_RELEASE } from "../stack/stack.ts";

export const cluster = inject("cluster");
process.env.PATH = cluster.path;

export const { images } = cluster;
export const kubectl = kubectlFor(cluster.kubeconfigPath);
export const helm = helmFor(cluster.kubeconfigPath);

const ANSWER_TIMEOUT_MS = 60_000;
const STATE_TIMEOUT_MS = 90_000;
const REQUEST_PAUSE_MS = 20;

const ARTIFACTS = join(import.meta.dirname, "../../artifacts/e2e");

/** An object as `kubectl get -o json` gives it. */
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail where it is not so
export type Got = any;

/** Takes the operator's release away, and waits until its objects are gone. */
export const uninstallOperator = async (): Promise<void> => {
  const release = [OPERATOR_RELEASE, `--namespace=${OPERATOR_NAMESPACE}`];
  await helm(["uninstall", ...release, "--wait", "--timeout=2m"]);
};

/** Sends a request through the Ingress controller. */
export const ask = (path: string, asked: Asked = {}): Promise<Answer> =>
  send(cluster.httpPort, path, asked);

/** Asks until the answer is as it should be; fails with the last one. */
export const answers = async (
  path: string,
  asked: Asked,
  isRight: (answer: Answer, body: string) => boolean,
  timeoutMs = ANSWER_TIMEOUT_MS,
): Promise<string> => {
  let last = "nothing";
  return eventually(
    async () => {
      const answer = await ask(path, asked);
      const body = answer.body.toString();
      last = `${answer.status} ${body}`;
      return isRight(answer, body) ? body : undefined;
    },
    () => `http://${asked.host ?? "localhost"}${path} answered ${last}`,
    timeoutMs,
  );
};

/** Sends requests one after the other until stopped; then tells what came back, by status and body. */
export const askAllTheTime = (host: string) => {
  const seen = new Map<string, number>();
  let isStopped = false;
  const loop = (async () => {
    while (!isStopped) {
      const got = await ask("/", { host }).then(
        ({ status, body }) => `${status} ${body}`,
        (error: Error) => error.message,
      );
      seen.set(got, (seen.get(got) ?? 0) + 1);
      await sleep(REQUEST_PAUSE_MS);
    }
  })();
  return async () => {
    isStopped = true;
    await loop;
    return Object.fromEntries(seen);
  };
};

/** What kubectl does in one namespace. */
export const inNamespace = (namespace: string) => {
  const run = (args: readonly string[], input?: string) =>
    kubectl([`--namespace=${namespace}`, ...args], input);
  const get = async (...what: string[]): Promise<Got> =>
    JSON.parse(await run(["get", ...what, "--output=json"]));
  const apply = (object: object) => run(["apply", "--filename=-"], JSON.stringify(object));
  /** Waits until an object is as it should be; fails with how it is. */
  const becomes = (what: string, isRight: (object: Got) => boolean): Promise<Got> => {
    let last: Got;
    return eventually(
      async () => {
        last = await get(what).catch(() => undefined);
        return last !== undefined && isRight(last) ? last : undefined;
      },
      () => `${what} is ${JSON.stringify(last, null, 2)}`,
      STATE_TIMEOUT_MS,
    );
  };
  return { namespace, run, get, apply, becomes };
};

export type Namespace = ReturnType<typeof inNamespace>;

export const lambdaObject = (name: string, spec: object) => ({
  apiVersion: "example.com/v1",
  kind: "PythonLambda",
  metadata: { name },
  spec,
});

/** A host of the namespace's own, so that tests do not meet at one. */
export const hostIn = (ns: Namespace, name: string): string =>
  `${name}.${ns.namespace}.example.com`;

/** Applies a lambda on a host of its own and waits until it answers; the host. */
export const serve = async (
  ns: Namespace,
  name: string,
  code: string,
  spec: object = {},
): Promise<string> => {
  const host = hostIn(ns, name);
  await ns.apply(lambdaObject(name, { code, host, ...spec }));
  await answers("/", { host }, ({ status }) => status < 400);
  return host;
};

/** Whether the newest generation of a lambda is Ready. */
export const isReady = ({ metadata, status }: Got): boolean =>
  status?.observedGeneration === metadata.generation &&
  status.conditions.some(({ type, status }: Got) => type === "Ready" && status === "True");

let count = 0;

/** A test with a namespace of its own; when it fails, what happened there is printed and kept. */
export const test = base.extend<{ ns: Namespace }>({
  ns: async ({ task, onTestFailed }, use) => {
    count += 1;
    const ns = inNamespace(`e2e-${process.pid}-${count}`);
    await kubectl(["create", "namespace", ns.namespace]);
    onTestFailed(() => keepEvidence(ns, task.name));
    await use(ns);
    await kubectl(["delete", "namespace", ns.namespace, "--wait=false"]);
  },
});

/** Events, descriptions and logs of a namespace and of the operator: printed, and in a folder of the test's name. */
const keepEvidence = async (ns: Namespace, title: string): Promise<void> => {
  const lambdaLogs = "--selector=app.kubernetes.io/managed-by=python-lambda-operator";
  const operator = `--namespace=${OPERATOR_NAMESPACE}`;
  const evidence = {
    objects: ns.run(["get", "py,immortalcontainers,helloworlds,all,configmaps,ingresses"]),
    events: ns.run(["get", "events", "--sort-by=.lastTimestamp"]),
    descriptions: ns.run(["describe", "py,immortalcontainers,helloworlds,deployments,pods"]),
    lambdas: ns.run(["logs", lambdaLogs, "--all-containers", "--prefix", "--tail=100"]),
    operator: kubectl([operator, "logs", `deployment/${OPERATOR_RELEASE}-webhook`, "--tail=100"]),
  };
  const folder = join(ARTIFACTS, title.replaceAll(/[^a-z0-9]+/gi, "-"));
  await mkdir(folder, { recursive: true });
  for (const [name, promise] of Object.entries(evidence)) {
    const text = await promise.catch((error: Error) => error.message);
    await writeFile(join(folder, `${name}.txt`), text);
    process.stderr.write(`--- ${name} (${title})\n${text}\n`);
  }
};
