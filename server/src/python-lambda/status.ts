import type { Condition } from "../kubernetes/status.ts";
import { podSelector } from "./names.ts";
import { isRolledOut, type Observed } from "./observed.ts";
import { hostOf } from "./resources.ts";
import type { PythonLambda, PythonLambdaStatus } from "./schema.ts";
import type { PythonLambdaSettings } from "./settings.ts";

/**
 * The status of a lambda: what is counted is what is observed. It holds no time, or it would never settle.
 * https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties
 */
export const toStatus = (
  lambda: PythonLambda,
  revision: string,
  observed: Observed,
  settings: PythonLambdaSettings,
): PythonLambdaStatus => {
  const pods = observed.deployment?.status?.replicas ?? 0;
  const readyPods = observed.deployment?.status?.readyReplicas ?? 0;
  return {
    configmaps: observed.configMaps.length,
    services: observed.services,
    ingress: observed.ingresses,
    pods,
    readyPods,
    url: `${settings.ingress.tls ? "https" : "http"}://${hostOf(lambda, settings)}/`,
    revision,
    selector: podSelector(lambda.metadata.name),
    conditions: [readyCondition(lambda, revision, observed)],
  };
};

const readyCondition = (
  { spec }: PythonLambda,
  revision: string,
  { deployment }: Observed,
): Condition => {
  const pods = `${spec.replicas} ${spec.replicas === 1 ? "pod" : "pods"}`;
  return isRolledOut(deployment, revision, spec.replicas)
    ? { type: "Ready", status: "True", reason: "Ready", message: `${pods} ready` }
    : {
        type: "Ready",
        status: "False",
        reason: "Progressing",
        message: `revision ${revision} is rolling out to ${pods}`,
      };
};
