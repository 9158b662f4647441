import * as v from "valibot";
import { timeSeconds } from "../kubernetes/times.ts";
import { annotationNames } from "./names.ts";
import { type Options, parseOptions } from "./options.ts";
import { type ConfigMap, configMap, type Pod, pod } from "./schema.ts";

export const ANNOTATION = "magalix.com/podDeleteMatch";
export const NAMES = annotationNames(ANNOTATION);

/** The second of a day on which the tests play, as Kubernetes writes it. */
export const at = (second: number): string =>
  `2026-01-01T00:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}Z`;

/** The same as seconds since 1970. */
export const secondsAt = (second: number): number => v.parse(timeSeconds, at(second));

interface Content {
  data?: Record<string, string>;
  annotations?: Record<string, string>;
  /** When a writer of the content changed something last. */
  changedAt?: number;
}

/** A ConfigMap `config` that was made at second 0. */
export const readConfigMap = ({
  data = { a: "1" },
  annotations = {},
  changedAt = 0,
}: Content = {}): ConfigMap =>
  v.parse(configMap, {
    metadata: {
      name: "config",
      namespace: "default",
      uid: "config-uid",
      creationTimestamp: at(0),
      annotations: { [ANNOTATION]: "app=web", ...annotations },
      managedFields: [
        { manager: "kubectl", time: at(changedAt), fieldsV1: { "f:data": {}, "f:metadata": {} } },
        { manager: "metacontroller", time: at(3000), fieldsV1: { "f:metadata": {} } },
      ],
    },
    data,
  });

interface Given {
  name?: string;
  namespace?: string;
  record?: string;
  createdAt?: number;
  isReady?: boolean;
  isEnding?: boolean;
  labels?: Record<string, string>;
  /** The UID of its ReplicaSet; none when null. */
  owner?: string | null;
  status?: object;
}

/** A pod that is Ready and of the ReplicaSet `web`. */
export const readPod = ({
  name = "web-1",
  namespace = "default",
  record,
  createdAt = 0,
  isReady = true,
  isEnding = false,
  labels = { app: "web" },
  owner = "web",
  status = {},
}: Given = {}): Pod =>
  v.parse(pod, {
    metadata: {
      name,
      namespace,
      uid: `${name}-uid`,
      creationTimestamp: at(createdAt),
      ...(isEnding ? { deletionTimestamp: at(createdAt) } : {}),
      labels,
      annotations: record === undefined ? {} : { "configmap.magalix.com/config": record },
      ownerReferences:
        owner === null ? [] : [{ kind: "ReplicaSet", name: owner, uid: owner, controller: true }],
    },
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: isReady ? "True" : "False" }],
      ...status,
    },
  });

/** The options that annotations give. */
export const readOptions = (annotations: Record<string, string> = {}): Options => {
  const parsed = parseOptions({ [ANNOTATION]: "app=web", ...annotations }, NAMES);
  if ("problems" in parsed) {
    throw new Error(parsed.problems.join());
  }
  return parsed.options;
};
