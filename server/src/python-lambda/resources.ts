import type { IDeployment } from "kubernetes-models/apps/v1";
import type { IIngress } from "kubernetes-models/networking.k8s.io/v1";
import type { IConfigMap, IService } from "kubernetes-models/v1";
import { configMapName, podLabels } from "./names.ts";
import { CODE_FILE, podTemplate } from "./pod.ts";
import type { PythonLambda } from "./schema.ts";
import type { PythonLambdaSettings } from "./settings.ts";

const SERVICE_PORT = 80;

/** Old ReplicaSets are of no use: a rollback is a change of code, and the last good one is kept while it serves. */
const REVISION_HISTORY_LIMIT = 2;

/** Escaped text above this may not fit into the annotation in which Metacontroller keeps the whole object: 256 KiB in all. */
const MAX_ESCAPED_BYTES = 200_000;

/** One revision's code as a file. Immutable, so that the code never changes under a running pod. */
export const configMap = ({ metadata, spec }: PythonLambda, revision: string) =>
  ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: configMapName(metadata.name, revision),
      labels: podLabels(metadata.name),
    },
    immutable: true,
    ...fileContent(CODE_FILE, spec.code),
  }) satisfies IConfigMap;

/** Readable `data` where that fits, else `binaryData`, never longer than 4/3 of the text. The pod's file is the same. */
const fileContent = (file: string, text: string) =>
  maxEscapedBytes(text) <= MAX_ESCAPED_BYTES
    ? { data: { [file]: text } }
    : { binaryData: { [file]: toBase64(new TextEncoder().encode(text)) } };

/** The bytes that Go's JSON takes for each ASCII character: six where it escapes for HTML's sake. */
const ASCII_BYTES = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return "<>&".includes(character) ? 6 : JSON.stringify(character).length - 2;
});

/** How long a text at most becomes as Go writes JSON. Counted in place: a lambda may be large, and synced often. */
const maxEscapedBytes = (text: string): number => {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    bytes += ASCII_BYTES[text.charCodeAt(index)] ?? 6;
  }
  return bytes;
};

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** The pods and their rollout: the pods of a new revision are ready before the last one's go. */
export const deployment = (
  { metadata, spec }: PythonLambda,
  revision: string,
  settings: PythonLambdaSettings,
) =>
  ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: metadata.name, labels: podLabels(metadata.name) },
    spec: {
      replicas: spec.replicas,
      revisionHistoryLimit: REVISION_HISTORY_LIMIT,
      minReadySeconds: 1,
      selector: { matchLabels: podLabels(metadata.name) },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: podTemplate(metadata.name, revision, settings),
    },
  }) satisfies IDeployment;

/** The pods' one address in the cluster. */
export const service = ({ metadata: { name } }: PythonLambda, settings: PythonLambdaSettings) =>
  ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, labels: podLabels(name), annotations: settings.service.annotations },
    spec: {
      type: "ClusterIP",
      selector: podLabels(name),
      ports: [{ name: "http", protocol: "TCP", port: SERVICE_PORT, targetPort: "http" }],
    },
  }) satisfies IService;

/** The host name that a lambda answers on. */
export const hostOf = ({ spec }: PythonLambda, settings: PythonLambdaSettings): string =>
  spec.host ?? settings.host;

/** The way from the world to the Service: every path of the host. */
export const ingress = (lambda: PythonLambda, settings: PythonLambdaSettings) => {
  const { name } = lambda.metadata;
  const { className, annotations, tls } = settings.ingress;
  const host = hostOf(lambda, settings);
  const backend = { service: { name, port: { number: SERVICE_PORT } } };
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { name, labels: podLabels(name), annotations },
    spec: {
      ...(className === undefined ? {} : { ingressClassName: className }),
      ...(tls ? { tls: [{ hosts: [host], secretName: `${name}-tls-secret` }] } : {}),
      rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
    },
  } satisfies IIngress;
};
