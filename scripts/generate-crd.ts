import { type ConversionConfig, type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { stringify } from "yaml";
import { serviceName } from "../server/src/kubernetes/names.ts";
import {
  PYTHON_LAMBDA_API_VERSION,
  PYTHON_LAMBDA_KIND,
  pythonLambdaSpec,
} from "../server/src/python-lambda/schema.ts";
import { pythonLambdaStatus } from "./generate-crd-status.ts";

/** A rule in the Common Expression Language: https://kubernetes.io/docs/reference/using-api/cel */
interface Rule {
  rule: string;
  message: string;
}

type Action = v.PipeAction<unknown, unknown, v.BaseIssue<unknown>>;

/**
 * A text's limits as rules, so that the API server refuses an object in the schema's own words. Where OpenAPI has a keyword,
 * its message is as good, and the length has to be one: it bounds what the rules cost.
 */
const toRules = (action: Action, self: string): Rule[] => {
  const { type, requirement, message } = action as Action & {
    requirement: unknown;
    message: unknown;
  };
  const expression =
    type === "regex"
      ? `${self}.matches(${JSON.stringify((requirement as RegExp).source)})`
      : type === "max_bytes"
        ? `bytes(${self}).size() <= ${requirement}`
        : type === "max_length"
          ? `${self}.size() <= ${requirement}`
          : undefined;
  return expression === undefined ? [] : [{ rule: expression, message: String(message) }];
};

const withRules = (schema: JsonSchema, rules: Rule[]): JsonSchema => {
  const { "x-kubernetes-validations": before = [], ...rest } = schema as Record<string, Rule[]>;
  return { ...rest, "x-kubernetes-validations": [...before, ...rules] } as JsonSchema;
};

const overrideAction: ConversionConfig["overrideAction"] = ({ valibotAction, jsonSchema }) => {
  const { pattern, ...rest } = jsonSchema;
  switch (valibotAction.type) {
    case "regex":
      return withRules(rest, toRules(valibotAction, "self"));
    case "max_bytes": {
      const maxLength = (valibotAction as unknown as { requirement: number }).requirement;
      return withRules({ ...rest, maxLength }, toRules(valibotAction, "self"));
    }
    default:
      return null;
  }
};

/**
 * A structural schema of what the API server takes.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
const toStructural = (schema: v.GenericSchema): unknown =>
  tidy(toJsonSchema(schema, { target: "openapi-3.0", typeMode: "input", overrideAction }));

/** The same schema for a reader: what a field means comes first, and nothing empty. */
const tidy = (schema: unknown): unknown => {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return schema;
  }
  const { description, ...rest } = schema as Record<string, unknown>;
  const entries = Object.entries(rest).filter(
    ([, value]) => !(Array.isArray(value) && value.length === 0),
  );
  return {
    ...(description === undefined ? {} : { description: tidy(description) }),
    ...Object.fromEntries(entries.map(([key, value]) => [key, tidy(value)])),
  };
};

/** Only the root of the schema sees the name, so its messages have to say what they are about. */
const nameRules = serviceName.pipe
  .flatMap((action) =>
    action.kind === "validation" ? toRules(action as Action, "self.metadata.name") : [],
  )
  .map(({ rule, message }) => ({ rule, message: `metadata.name ${message}` }));

const column = (name: string, type: string, jsonPath: string, description?: string) => ({
  name,
  type,
  jsonPath,
  ...(description === undefined ? {} : { description }),
});

const READY = '.status.conditions[?(@.type=="Ready")]';

const [group, version] = PYTHON_LAMBDA_API_VERSION.split("/") as [string, string];
const singular = PYTHON_LAMBDA_KIND.toLowerCase();
const plural = `${singular}s`;

/** What the CustomResourceDefinition of PythonLambda says. */
export const pythonLambdaCrdSpec = {
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
        column("URL", "string", ".status.url"),
        column("Ready", "string", `${READY}.status`, "Whether all pods run the newest revision."),
        column("Pods", "integer", ".status.pods"),
        column("Revision", "string", ".status.revision"),
        column("Reason", "string", `${READY}.reason`),
        column("Age", "date", ".metadata.creationTimestamp"),
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
${stringify({ spec: pythonLambdaCrdSpec }, { lineWidth: 0 })}{{- end }}
`;
