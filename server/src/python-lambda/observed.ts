import type { IDeployment } from "kubernetes-models/apps/v1";
import type { IConfigMap } from "kubernetes-models/v1";
import type { ObservedObjects } from "../metacontroller/protocol.ts";
import { REVISION_LABEL } from "./names.ts";

/** What exists of a lambda's children. */
export interface Observed {
  configMaps: IConfigMap[];
  deployment: IDeployment | undefined;
  services: number;
  ingresses: number;
}

/** Reads the children by kind. Their inner shape is the API server's own, so it is taken at its word. */
export const toObserved = (children: ObservedObjects): Observed => {
  const ofKind = (key: string) => Object.values(children[key] ?? {});
  return {
    configMaps: ofKind("ConfigMap.v1") as unknown as IConfigMap[],
    deployment: ofKind("Deployment.apps/v1")[0] as unknown as IDeployment | undefined,
    services: ofKind("Service.v1").length,
    ingresses: ofKind("Ingress.networking.k8s.io/v1").length,
  };
};

/**
 * Whether as many pods as wanted run the revision and are available, and no older one is left.
 * https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#complete-deployment
 */
export const isRolledOut = (
  deployment: IDeployment | undefined,
  revision: string,
  replicas: number,
): boolean => {
  if (deployment === undefined) {
    return false;
  }
  const { metadata, spec, status } = deployment;
  return (
    spec?.template.metadata?.labels?.[REVISION_LABEL] === revision &&
    status?.observedGeneration === metadata?.generation &&
    [spec.replicas, status?.replicas, status?.updatedReplicas, status?.availableReplicas].every(
      (count) => (count ?? 0) === replicas,
    )
  );
};
