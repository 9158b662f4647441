import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  createConfiguration,
  KubeConfig,
  PatchStrategy,
  ServerConfiguration,
  setHeaderOptions,
} from "@kubernetes/client-node";
import * as v from "valibot";
import type { Report } from "../configmap-reloader/reports.ts";
import { type ConfigMap, configMap, type Pod, pod } from "../configmap-reloader/schema.ts";
import { shortSha256 } from "../kubernetes/digest.ts";

/** A hook has 10 s in all, of which a call of the API server takes milliseconds. */
const CALL_TIMEOUT_MS = 5_000;

/** The longest name of an object, less a dot and a short digest. */
const MAX_EVENT_PREFIX = 242;

const COMPONENT = "configmap-reloader";

/** What the reloader reads and does in the cluster. Each throws what the API server answers but what is said here. */
export interface Cluster {
  /** Undefined when there is none. */
  configMap: (namespace: string, name: string) => Promise<ConfigMap | undefined>;
  pods: (namespace: string) => Promise<Pod[]>;
  /** How many pods a controller is to have; undefined when it is gone or of a kind that the reloader does not know. */
  desiredPods: (namespace: string, kind: string, name: string) => Promise<number | undefined>;
  /** Writes an annotation on just this pod; nothing when it is gone. */
  annotate: (pod: Pod, name: string, value: string) => Promise<void>;
  /** Evicts just this pod; why not, when a budget allows it not. A pod that is gone is evicted. */
  evict: (pod: Pod) => Promise<string | undefined>;
  /** Makes an Event about a ConfigMap, unless there is one that says the same. */
  report: (about: ConfigMap, report: Report) => Promise<void>;
}

/** The cluster that this process runs in, or that the kubeconfig of the environment names. */
export const connect = (): Cluster => {
  const [core, apps] = apiClients();
  const desired = {
    ReplicaSet: async (at: { namespace: string; name: string }) =>
      (await apps.readNamespacedReplicaSet(at)).spec?.replicas,
    StatefulSet: async (at: { namespace: string; name: string }) =>
      (await apps.readNamespacedStatefulSet(at)).spec?.replicas,
    DaemonSet: async (at: { namespace: string; name: string }) =>
      (await apps.readNamespacedDaemonSet(at)).status?.desiredNumberScheduled,
  };
  return {
    configMap: async (namespace, name) => {
      const read = await orElse([404], () => core.readNamespacedConfigMap({ namespace, name }));
      return read && v.parse(configMap, toJson(read));
    },
    pods: async (namespace) => {
      const { items } = await core.listNamespacedPod({ namespace });
      return v.parse(v.array(pod), toJson(items));
    },
    desiredPods: async (namespace, kind, name) =>
      isKnown(kind, desired) ? orElse([404], () => desired[kind]({ namespace, name })) : undefined,
    annotate: async ({ metadata: { namespace, name, uid } }, annotation, value) => {
      const body = { metadata: { uid, annotations: { [annotation]: value } } };
      const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
      await orElse(GONE, () => core.patchNamespacedPod({ namespace, name, body }, merge));
    },
    evict: async ({ metadata: { namespace, name, uid } }) => {
      const body = { metadata: { name }, deleteOptions: { preconditions: { uid } } };
      try {
        await orElse(GONE, () => core.createNamespacedPodEviction({ namespace, name, body }));
        return undefined;
      } catch (error) {
        return refusalIn(error);
      }
    },
    report: async (about, report) => {
      const body = await toEvent(about, report);
      const { namespace } = about.metadata;
      await orElse([409], () => core.createNamespacedEvent({ namespace, body }));
    },
  };
};

/** Another pod of the same name answers a UID that is not its own with a conflict. */
const GONE = [404, 409];

const apiClients = (): [CoreV1Api, AppsV1Api] => {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromDefault();
  const server = kubeConfig.getCurrentCluster()?.server;
  if (!server) {
    throw new Error("there is no cluster: run in one, or set KUBECONFIG");
  }
  const configuration = createConfiguration({
    baseServer: new ServerConfiguration(server, {}),
    authMethods: { default: kubeConfig },
    promiseMiddleware: [
      {
        pre: async (request) => {
          request.setHeaderParam("User-Agent", `python-lambda-operator/${COMPONENT}`);
          request.setSignal(AbortSignal.timeout(CALL_TIMEOUT_MS));
          return request;
        },
        post: async (response) => response,
      },
    ],
  });
  return [new CoreV1Api(configuration), new AppsV1Api(configuration)];
};

/** The client reads times into Dates; as JSON they are as the API server writes them. */
const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const isKnown = <T extends object>(kind: string, kinds: T): kind is Extract<keyof T, string> =>
  Object.hasOwn(kinds, kind);

/** What a call answers; undefined when it fails with one of these statuses. */
const orElse = async <T>(
  statuses: readonly number[],
  call: () => Promise<T>,
): Promise<T | undefined> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ApiException && statuses.includes(error.code)) {
      return undefined;
    }
    throw error;
  }
};

const TOO_MANY_REQUESTS = 429;

const refusal = v.object({
  message: v.string(),
  details: v.optional(
    v.object({ causes: v.optional(v.array(v.object({ message: v.string() })), []) }),
    { causes: [] },
  ),
});

/**
 * What the API server says of an eviction that a budget does not allow.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/#how-api-initiated-eviction-works
 * @throws any other error
 */
const refusalIn = (error: unknown): string => {
  if (!(error instanceof ApiException) || error.code !== TOO_MANY_REQUESTS) {
    throw error;
  }
  const text = typeof error.body === "string" ? error.body : JSON.stringify(error.body);
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), refusal), text);
  if (!read.success) {
    return text;
  }
  const { message, details } = read.output;
  return [message, ...details.causes.map((cause) => cause.message)].join(" ");
};

/** An Event whose name follows from what it says, so that it is made once while the API server keeps it, 1 h by default. */
const toEvent = async ({ metadata }: ConfigMap, { type, reason, message }: Report) => {
  const { namespace, name, uid } = metadata;
  const digest = await shortSha256(JSON.stringify([uid, type, reason, message]));
  const now = new Date();
  return {
    metadata: { namespace, name: `${name.slice(0, MAX_EVENT_PREFIX)}.${digest}` },
    involvedObject: { apiVersion: "v1", kind: "ConfigMap", namespace, name, uid },
    type,
    reason,
    message,
    source: { component: COMPONENT },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
};
