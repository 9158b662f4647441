import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { parseAllDocuments } from "yaml";
import { contentHash } from "../../server/src/configmap-reloader/content.ts";
import { eventually } from "../../server/test/eventually.ts";
import { answers, type Got, hostIn, images, type Namespace } from "./fixture.ts";

const EXAMPLE = join(import.meta.dirname, "../../examples/configmap-reloader.yaml");
export const ANNOTATION = "magalix.com/podDeleteMatch";
const ROLLOUT_TIMEOUT_MS = 120_000;
/** Creation times are whole seconds: what is apart by more is in order. */
export const APART_MS = 2_100;
/** How long nothing is watched to happen. */
export const SETTLE_MS = 3_000;

export const isLiving = ({ metadata }: Got): boolean => metadata.deletionTimestamp === undefined;

export const isPodReady = ({ status }: Got): boolean =>
  status.conditions?.some(({ type, status }: Got) => type === "Ready" && status === "True");

export const livingPods = async (ns: Namespace): Promise<Got[]> =>
  (await ns.get("pods")).items.filter(isLiving);

export const uidsOf = (pods: readonly Got[]): string[] => pods.map(({ metadata }) => metadata.uid);

export const recordOf = ({ metadata }: Got, configMap = "frontend"): string | undefined =>
  metadata.annotations?.[`configmap.magalix.com/${configMap}`];

export const seenOf = ({ metadata }: Got): Got =>
  JSON.parse(metadata.annotations?.[`${ANNOTATION}.seen`] ?? "{}");

/** What a pod's record says when the pod started with what a ConfigMap holds now. */
export const hashOf = (configMap: Got): Promise<string> =>
  contentHash({ data: configMap.data, binaryData: {} }, seenOf(configMap).keys);

/** Looks again only after a while: several tests look at once, each with a kubectl of its own. */
export const LOOK_PAUSE_MS = 400;

/** Waits until as many pods live, all are Ready and all started with the content that the ConfigMap has; those pods. */
export const settles = async (
  ns: Namespace,
  count: number,
  configMap = "frontend",
): Promise<Got[]> => {
  let last = "";
  return eventually(
    async () => {
      await sleep(LOOK_PAUSE_MS);
      const { items } = await ns.get("pods,configmaps");
      const pods = items.filter(({ kind }: Got) => kind === "Pod").filter(isLiving);
      const hash = await hashOf(items.find(({ metadata }: Got) => metadata.name === configMap));
      const records = pods.map((pod: Got) => recordOf(pod, configMap));
      last = `the hash is ${hash}, the pods have ${records} and are Ready: ${pods.map(isPodReady)}`;
      const isRight =
        pods.length === count &&
        pods.every(isPodReady) &&
        records.every((record: string) => record === hash);
      return isRight ? pods : undefined;
    },
    () => last,
    ROLLOUT_TIMEOUT_MS,
  );
};

interface Frontend {
  host: string;
  pods: Got[];
}

/** Applies the example on a host of its own, and waits until the reloader has seen all of it. */
export const applyFrontend = async (ns: Namespace, annotations: object = {}): Promise<Frontend> => {
  const host = hostIn(ns, "frontend");
  for (const document of parseAllDocuments(readFileSync(EXAMPLE, "utf8"))) {
    const object: Got = document.toJS();
    if (object.kind === "ConfigMap") {
      Object.assign(object.metadata.annotations, annotations);
    } else if (object.kind === "Deployment") {
      object.spec.template.spec.containers[0].image = images.runtime;
    } else if (object.kind === "Ingress") {
      object.spec.rules[0].host = host;
    }
    await ns.apply(object);
  }
  const pods = await settles(ns, 3);
  await ns.becomes("configmap/frontend", (configMap) => seenOf(configMap).hash !== undefined);
  await answers("/", { host }, ({ status }) => status === 200);
  return { host, pods };
};

export const change = (ns: Namespace, data: object, configMap = "frontend"): Promise<string> =>
  ns.run(["patch", `configmap/${configMap}`, "--type=merge", "--patch", JSON.stringify({ data })]);

/** Waits for an Event of the reloader's about a ConfigMap; its message. */
export const reports = async (
  ns: Namespace,
  reason: string,
  configMap = "frontend",
): Promise<string> => {
  const selector = `reason=${reason},involvedObject.name=${configMap}`;
  const { items } = await eventually(
    async () => {
      await sleep(LOOK_PAUSE_MS);
      const events = await ns.get("events", `--field-selector=${selector}`);
      return events.items.length > 0 ? events : undefined;
    },
    () => `there is an Event ${selector}`,
    ROLLOUT_TIMEOUT_MS,
  );
  return items[0].message;
};

export const evictions = async (ns: Namespace): Promise<number> =>
  (await ns.get("events")).items.filter(({ reason }: Got) => reason === "Evicted").length;

/** That every pod was replaced, and each by a pod that serves the message. */
export const expectReplaced = async (ns: Namespace, { host, pods }: Frontend, message: string) => {
  const after = await settles(ns, pods.length);
  expect(uidsOf(after).filter((uid) => uidsOf(pods).includes(uid))).toEqual([]);
  await answers("/", { host }, (_, body) => body === message);
  return after;
};
