import { stringify } from "yaml";
import { serviceName } from "../server/src/kubernetes/names.ts";
import {
  PYTHON_LAMBDA_API_VERSION,
  PYTHON_LAMBDA_KIND,
  pythonLambdaSpec,
  pythonLambdaStatus,
} from "../server/src/python-lambda/schema.ts";
import { toRules, toStructural } from "./generate-structural.ts";

/** Only the root of the schema sees the name, so its messages have to say what they are about. */
const nameRules = serviceName.pipe
  .flatMap((part) => (part.kind === "validation" ? toRules(part, "self.metadata.name") : []))
  .map(({ rule, message }) => ({ rule, message: `metadata.name ${message}` }));

const READY = '.status.conditions[?(@.type=="Ready")]';

const [group = "", version = ""] = PYTHON_LAMBDA_API_VERSION.split("/");
const singular = PYTHON_LAMBDA_KIND.toLowerCase();
const plural = `${singular}s`;

/** What the CustomResourceDefinition of PythonLambda says. */
const spec = {
  group,
  names: {
    kind: PYTHON_LAMBDA_KIND,
    listKind: `${PYTHON_LAMBDA_KIND}List`,
    plural,
    singular,
    shortNames: ["py"],
  },
  scope: "Namespaced",
  versions: [
    {
      name: version,
      served: true,
      storage: true,
      subresources: {
        status: {},
        scale: {
          specReplicasPath: ".spec.replicas",
          statusReplicasPath: ".status.pods",
          labelSelectorPath: ".status.selector",
        },
      },
      additionalPrinterColumns: [
        { name: "URL", type: "string", jsonPath: ".status.url" },
        { name: "Ready", type: "string", jsonPath: `${READY}.status` },
        { name: "Pods", type: "integer", jsonPath: ".status.pods" },
        { name: "Revision", type: "string", jsonPath: ".status.revision" },
        { name: "Reason", type: "string", jsonPath: `${READY}.reason` },
        { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
      schema: {
        openAPIV3Schema: {
          description: "A Python function that answers HTTP requests.",
          type: "object",
          required: ["spec"],
          "x-kubernetes-validations": nameRules,
          properties: {
            apiVersion: { type: "string" },
            kind: { type: "string" },
            metadata: { type: "object" },
            spec: toStructural(pythonLambdaSpec),
            status: toStructural(pythonLambdaStatus),
          },
        },
      },
    },
  ],
};

/** The chart's template of the CustomResourceDefinition, which its values `crds.enabled` and `crds.keep` govern. */
export const pythonLambdaCrdTemplate = (): string => `\
{{- /* Made by \`npm run generate\` from server/src/python-lambda/schema.ts: change that. */}}
{{- if .Values.crds.enabled }}
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.${group}
  labels:
    {{- include "python-lambda-operator.labels" . | nindent 4 }}
  {{- if .Values.crds.keep }}
  annotations:
    helm.sh/resource-policy: keep
  {{- end }}
${stringify({ spec }, { lineWidth: 0 })}{{- end }}
`;
