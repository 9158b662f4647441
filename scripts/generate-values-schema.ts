import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { annotationName } from "../server/src/configmap-reloader/names.ts";
import { hostname } from "../server/src/kubernetes/names.ts";
import type { ChartValue } from "./generate-values.ts";

const wholeNumber = (min: number) => v.pipe(v.number(), v.integer(), v.minValue(min));

const texts = v.record(v.string(), v.string());

const image = v.strictObject({
  repository: v.pipe(v.string(), v.minLength(1)),
  tag: v.string(),
  pullPolicy: v.picklist(["Always", "IfNotPresent", "Never"]),
});

const quantities = v.optional(v.record(v.string(), v.union([v.string(), v.number()])));
const resources = v.strictObject({ requests: quantities, limits: quantities });

const probe = v.strictObject({
  initialDelaySeconds: v.optional(wholeNumber(0)),
  periodSeconds: v.optional(wholeNumber(1)),
  timeoutSeconds: v.optional(wholeNumber(1)),
  failureThreshold: v.optional(wholeNumber(1)),
  successThreshold: v.optional(wholeNumber(1)),
});

const toleration = v.strictObject({
  key: v.optional(v.string()),
  operator: v.optional(v.picklist(["Exists", "Equal"])),
  value: v.optional(v.string()),
  effect: v.optional(v.picklist(["NoSchedule", "PreferNoSchedule", "NoExecute"])),
  tolerationSeconds: v.optional(wholeNumber(0)),
});

const topologySpreadConstraint = v.looseObject({
  maxSkew: wholeNumber(1),
  topologyKey: v.string(),
  whenUnsatisfiable: v.picklist(["DoNotSchedule", "ScheduleAnyway"]),
});

const anything = v.record(v.string(), v.unknown());

/** What the values of charts/python-lambda-operator may be. What they mean is said in its values.yaml. */
export const operatorValues = v.strictObject({
  host: hostname,
  replicas: wholeNumber(0),
  image,
  runtime: v.strictObject({ image, resources }),
  service: v.strictObject({ annotations: texts }),
  ingress: v.strictObject({ className: v.string(), annotations: texts, tls: v.boolean() }),
  immortalContainer: v.strictObject({ enabled: v.boolean() }),
  helloWorld: v.strictObject({ enabled: v.boolean(), image }),
  crds: v.strictObject({ enabled: v.boolean(), keep: v.boolean() }),
  configMapReloader: v.strictObject({
    enabled: v.boolean(),
    annotation: annotationName,
    image,
    resources,
  }),
  resyncPeriodSeconds: wholeNumber(1),
  resources,
  probes: v.strictObject({ liveness: probe, readiness: probe }),
  priorityClassName: v.string(),
  nodeSelector: texts,
  tolerations: v.array(toleration),
  affinity: v.strictObject({
    nodeAffinity: v.optional(anything),
    podAffinity: v.optional(anything),
    podAntiAffinity: v.optional(anything),
  }),
  topologySpreadConstraints: v.array(topologySpreadConstraint),
  // Helm gives every subchart its parent's.
  global: v.optional(anything),
});

/** The JSON schema (draft 7) that Helm checks a chart's values by, with the descriptions of values.yaml. */
export const valuesSchema = (
  schema: v.GenericSchema,
  values: readonly ChartValue[],
): JsonSchema => {
  const json = toJsonSchema(schema, { target: "draft-07", typeMode: "input" });
  for (const { path, description } of values) {
    describe(json, path, description);
  }
  return { $schema: "http://json-schema.org/draft-07/schema#", ...json };
};

/** @throws when the schema has no such value. */
const describe = (schema: JsonSchema, path: string, description: string): void => {
  let at: JsonSchema | undefined = schema;
  for (const key of path.split(".")) {
    const next: unknown = at?.properties?.[key];
    at = next as JsonSchema | undefined;
  }
  if (at === undefined) {
    throw new Error(`values.yaml has ${path}, and its schema does not`);
  }
  at.description = description;
};
