import type { IPodTemplateSpec } from "kubernetes-models/v1";
import { sha256, shortSha256 } from "../kubernetes/digest.ts";
import { configMapName, podLabels, REVISION_LABEL } from "./names.ts";
import type { PythonLambda } from "./schema.ts";
import type { PythonLambdaSettings } from "./settings.ts";

/** The code's file in the ConfigMap, and its folder in the container. */
export const CODE_FILE = "lambda.py";
const CODE_FOLDER = "/lambda";

const HTTP_PORT = 8080;
const HEALTH_PORT = 8081;

/** How long a pod that is to end goes on serving, so that whoever still sends to it has heard of its end. */
const PRE_STOP_SECONDS = 6;
/** The runtime gives requests that are under way 30 s, and then needs a moment to end. */
const DRAIN_SECONDS = 34;

/** `nobody` in distroless images; any user but root would do. */
const USER_ID = 65_532;

/** A short digest of all that the pods run: the code, and the template with no revision in it. */
export const revisionOf = async (
  { metadata, spec }: PythonLambda,
  settings: PythonLambdaSettings,
): Promise<string> =>
  shortSha256(JSON.stringify([await sha256(spec.code), podTemplate(metadata.name, "", settings)]));

/** Pods that serve one revision, fit for the `restricted` pod security standard. */
export const podTemplate = (
  name: string,
  revision: string,
  { runtime }: PythonLambdaSettings,
): IPodTemplateSpec => ({
  metadata: { labels: { ...podLabels(name), [REVISION_LABEL]: revision } },
  spec: {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: PRE_STOP_SECONDS + DRAIN_SECONDS,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER_ID,
      runAsGroup: USER_ID,
      seccompProfile: { type: "RuntimeDefault" },
    },
    volumes: [
      { name: "code", configMap: { name: configMapName(name, revision) } },
      { name: "tmp", emptyDir: {} },
    ],
    containers: [
      {
        name: "lambda",
        image: runtime.image,
        ...(runtime.imagePullPolicy ? { imagePullPolicy: runtime.imagePullPolicy } : {}),
        args: [
          `${CODE_FOLDER}/${CODE_FILE}`,
          "--host=0.0.0.0",
          `--port=${HTTP_PORT}`,
          `--health-port=${HEALTH_PORT}`,
        ],
        env: [{ name: "LAMBDA_REVISION", value: revision }],
        ports: [
          { name: "http", containerPort: HTTP_PORT, protocol: "TCP" },
          { name: "health", containerPort: HEALTH_PORT, protocol: "TCP" },
        ],
        readinessProbe: { httpGet: { path: "/readyz", port: "health" }, periodSeconds: 1 },
        livenessProbe: { httpGet: { path: "/healthz", port: "health" }, periodSeconds: 10 },
        lifecycle: { preStop: { sleep: { seconds: PRE_STOP_SECONDS } } },
        terminationMessagePolicy: "FallbackToLogsOnError",
        resources: runtime.resources,
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        volumeMounts: [
          { name: "code", mountPath: CODE_FOLDER, readOnly: true },
          { name: "tmp", mountPath: "/tmp" },
        ],
      },
    ],
  },
});
