import type { IConfigMap } from "kubernetes-models/v1";
import type { CompositeResponse, ObservedObjects } from "../metacontroller/protocol.ts";
import { isRolledOut, toObserved } from "./observed.ts";
import { revisionOf } from "./pod.ts";
import { configMap, deployment, ingress, service } from "./resources.ts";
import type { PythonLambda } from "./schema.ts";
import type { PythonLambdaSettings } from "./settings.ts";
import { toStatus } from "./status.ts";

interface SyncRequest {
  parent: PythonLambda;
  children: ObservedObjects;
}

/** The children that a lambda should have, and its status. */
export const sync = async (
  { parent, children }: SyncRequest,
  settings: PythonLambdaSettings,
): Promise<CompositeResponse> => {
  const revision = await revisionOf(parent, settings);
  const observed = toObserved(children);
  const current = configMap(parent, revision);
  // While a rollout goes on, pods of older revisions live, and one of them may have to start again.
  const older = isRolledOut(observed.deployment, revision, parent.spec.replicas)
    ? []
    : observed.configMaps.filter(({ metadata }) => metadata?.name !== current.metadata.name);
  return {
    status: toStatus(parent, revision, observed, settings),
    children: [
      current,
      ...older.map(toDesired),
      deployment(parent, revision, settings),
      service(parent, settings),
      ingress(parent, settings),
    ],
  };
};

/** An observed ConfigMap, less what the API server added to it. */
const toDesired = ({ metadata, immutable, data, binaryData }: IConfigMap) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: metadata?.name ?? "", labels: metadata?.labels ?? {} },
  ...(immutable === undefined ? {} : { immutable }),
  ...(data === undefined ? {} : { data }),
  ...(binaryData === undefined ? {} : { binaryData }),
});
