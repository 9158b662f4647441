import type { IPod } from "kubernetes-models/v1";
import type { HelloWorld } from "./schema.ts";
import type { HelloWorldSettings } from "./settings.ts";

/** `nobody` in distroless images; any user but root would do. */
const USER_ID = 65_532;

/** The pod that greets, and ends. It is fit for the `restricted` pod security standard. */
export const pod = ({ metadata, spec }: HelloWorld, settings: HelloWorldSettings) =>
  ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: metadata.name },
    spec: {
      restartPolicy: "OnFailure",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: USER_ID,
        runAsGroup: USER_ID,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          name: "hello",
          image: settings.image,
          ...(settings.imagePullPolicy ? { imagePullPolicy: settings.imagePullPolicy } : {}),
          command: ["echo", literally(`Hello, ${spec.who}!`)],
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          },
        },
      ],
    },
  }) satisfies IPod;

/**
 * A text in which the kubelet finds no `$(VARIABLE)` to fill in.
 * https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/
 */
const literally = (text: string): string => text.replaceAll("$", "$$$$");
