import type * as v from "valibot";
import { stringify } from "yaml";
import { toRules, toStructural } from "./generate-structural.ts";

/** A kind of object, by the schemas of its controller. */
export interface Kind {
  /** The folder of its controller in `server/src/`, and the beginning of its files in the chart. */
  folder: string;
  apiVersion: string;
  kind: string;
  description: string;
  /** The chart's value that the CustomResourceDefinition depends on beside `crds.enabled`, where there is one. */
  enabledBy?: string;
  shortNames?: string[];
  /** What its name must be beside what every object's must. */
  name?: { readonly pipe: readonly { kind: string; type: string }[] };
  spec: v.GenericSchema;
  status: v.GenericSchema;
  /** Subresources beside the status. */
  subresources?: object;
  /** The columns of `kubectl get` between the name and the age. */
  columns: { name: string; type: string; jsonPath: string }[];
}

/** Only the root of the schema sees the name, so its messages have to say what they are about. */
const nameRules = ({ name }: Kind) =>
  (name?.pipe ?? [])
    .flatMap((part) => (part.kind === "validation" ? toRules(part, "self.metadata.name") : []))
    .map(({ rule, message }) => ({ rule, message: `metadata.name ${message}` }));

const namesOf = ({ apiVersion, kind }: Kind) => {
  const [group = "", version = ""] = apiVersion.split("/");
  const singular = kind.toLowerCase();
  return { group, version, singular, plural: `${singular}s` };
};

/** What the CustomResourceDefinition of a kind says. */
const specOf = (kind: Kind) => {
  const { group, version, singular, plural } = namesOf(kind);
  const { shortNames } = kind;
  const rules = nameRules(kind);
  return {
    group,
    names: {
      kind: kind.kind,
      listKind: `${kind.kind}List`,
      plural,
      singular,
      ...(shortNames ? { shortNames } : {}),
    },
    scope: "Namespaced",
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {}, ...kind.subresources },
        additionalPrinterColumns: [
          ...kind.columns,
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: {
            description: kind.description,
            type: "object",
            required: ["spec"],
            ...(rules.length > 0 ? { "x-kubernetes-validations": rules } : {}),
            properties: {
              apiVersion: { type: "string" },
              kind: { type: "string" },
              metadata: { type: "object" },
              spec: toStructural(kind.spec),
              status: toStructural(kind.status),
            },
          },
        },
      },
    ],
  };
};

/** The chart's template of a kind's CustomResourceDefinition, which its values `crds.enabled` and `crds.keep` govern. */
export const crdTemplate = (kind: Kind): string => {
  const { group, plural } = namesOf(kind);
  const enabled = kind.enabledBy
    ? `and .Values.crds.enabled .Values.${kind.enabledBy}`
    : ".Values.crds.enabled";
  return `\
{{- /* Made by \`npm run generate\` from server/src/${kind.folder}/schema.ts: change that. */}}
{{- if ${enabled} }}
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
${stringify({ spec: specOf(kind) }, { lineWidth: 0 })}{{- end }}
`;
};
