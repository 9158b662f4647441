import { type ConversionConfig, type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";

/** A rule in the Common Expression Language: https://kubernetes.io/docs/reference/using-api/cel */
interface Rule {
  rule: string;
  message: string;
  fieldPath?: string;
}

/** A structural schema: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema */
interface Structural {
  description?: string;
  maxLength?: number;
  required?: string[];
  properties?: Record<string, Structural>;
  items?: Structural;
  "x-kubernetes-validations"?: Rule[];
}

/** A check of a text, as far as a rule is made of it. */
interface TextCheck {
  type: string;
  requirement?: unknown;
  message?: unknown;
}

/** The API server prints a text that breaks a rule of its own, and one longer than this is no help. */
const MAX_PRINTED_LENGTH = 1024;

/** A check of a text as a rule about `self`, so that the API server refuses it in the schema's own words. */
export const toRules = ({ type, requirement, message }: TextCheck, self: string): Rule[] => {
  const toRule = (rule: string) => [{ rule, message: String(message) }];
  switch (type) {
    case "regex":
      return toRule(`${self}.matches(${JSON.stringify((requirement as RegExp).source)})`);
    case "max_bytes":
      return toRule(`bytes(${self}).size() <= ${requirement}`);
    case "max_length":
      return toRule(`${self}.size() <= ${requirement}`);
    default:
      return [];
  }
};

/** Checks that OpenAPI has no words for, or worse ones. The greatest length bounds what the rules may cost. */
const overrideAction: ConversionConfig["overrideAction"] = ({ valibotAction, jsonSchema }) => {
  const { type, requirement } = valibotAction as TextCheck;
  if (type !== "regex" && type !== "max_bytes") {
    return null;
  }
  const {
    pattern,
    "x-kubernetes-validations": rules = [],
    ...rest
  } = jsonSchema as Structural & {
    pattern?: string;
  };
  return {
    ...rest,
    ...(type === "max_bytes" ? { maxLength: requirement } : {}),
    "x-kubernetes-validations": [...rules, ...toRules(valibotAction as TextCheck, "self")],
  } as JsonSchema;
};

/** What the API server takes of what a valibot schema takes, with rules in the schema's own words. */
export const toStructural = (schema: v.GenericSchema): Structural => {
  const config = { target: "openapi-3.0", typeMode: "input", overrideAction } as const;
  return tidy(toJsonSchema(schema, config) as Structural);
};

/** The schema with what a field means first, with no empty list, and with the rules of long texts at their object. */
const tidy = ({
  description,
  required = [],
  properties,
  items,
  ...rest
}: Structural): Structural => {
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => [name, tidy(field)] as const,
  );
  const lifted = fields.flatMap(([name, field]) => liftRules(name, field, required.includes(name)));
  return {
    ...(description === undefined ? {} : { description }),
    ...rest,
    ...(required.length > 0 ? { required } : {}),
    ...(lifted.length > 0 ? { "x-kubernetes-validations": lifted } : {}),
    ...(properties ? { properties: Object.fromEntries(fields) } : {}),
    ...(items ? { items: tidy(items) } : {}),
  };
};

/** Takes the rules of a long text away from it, and makes them rules of the object that it is a field of. */
const liftRules = (name: string, field: Structural, isRequired: boolean): Rule[] => {
  const rules = field["x-kubernetes-validations"] ?? [];
  if ((field.maxLength ?? 0) <= MAX_PRINTED_LENGTH) {
    return [];
  }
  delete field["x-kubernetes-validations"];
  const guard = isRequired ? "" : `!has(self.${name}) || `;
  return rules.map(({ rule, message }) => ({
    rule: guard + rule.replace("self", `self.${name}`),
    message,
    fieldPath: `.${name}`,
  }));
};
