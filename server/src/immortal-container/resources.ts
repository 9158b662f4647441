import type { IPod } from "kubernetes-models/v1";
import { BACKOFF_ANNOTATION, CONTAINER_NAME, podName, RESTARTS_ANNOTATION } from "./names.ts";
import type { Inheritance } from "./observed.ts";
import type { ImmortalContainer } from "./schema.ts";

/** The pod that always comes back. The kubelet starts its container again where that fails. */
export const pod = (
  { metadata, spec }: ImmortalContainer,
  { restarts, backoffSeconds }: Inheritance,
) =>
  ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: podName(metadata.name),
      annotations: {
        [RESTARTS_ANNOTATION]: String(restarts),
        [BACKOFF_ANNOTATION]: String(backoffSeconds),
      },
    },
    spec: {
      restartPolicy: "OnFailure",
      automountServiceAccountToken: false,
      containers: [{ name: CONTAINER_NAME, image: spec.image }],
    },
  }) satisfies IPod;
