/** What an API server publishes at `/openapi/v2`, as far as schemas are made of it. */
export interface OpenApi {
  definitions: Record<string, Schema>;
}

interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
  "x-kubernetes-group-version-kind"?: { group: string; version: string; kind: string }[];
}

/** The file of a kind's schema, as `kubeconform -schema-location` finds it: the kind is in lower case there. */
export const SCHEMA_FILE = "{{ .Group }}_{{ .ResourceAPIVersion }}_{{ .ResourceKind }}.json";

/** A JSON schema for each kind of object that a cluster knows, by its file's name. They know no other fields. */
export const toSchemas = ({ definitions }: OpenApi): Map<string, Schema> => {
  const strict = Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [name, toStrict(schema)]),
  );
  const files = new Map<string, Schema>();
  for (const schema of Object.values(strict)) {
    for (const { group, version, kind } of schema["x-kubernetes-group-version-kind"] ?? []) {
      const used = usedBy(schema, strict);
      // kubeconform takes the version of the core group for its name.
      const file = `${group || version}_${version}_${kind.toLowerCase()}.json`;
      files.set(file, { ...schema, definitions: used });
    }
  }
  return files;
};

/** The schema, refusing fields that it does not name wherever it names any, and taking numbers where the API server does. */
const toStrict = (schema: Schema): Schema =>
  mapSchemas(schema, (inner) => {
    if (inner.format === "int-or-string") {
      return { ...inner, type: ["integer", "string"] };
    }
    return inner.properties && !inner["x-kubernetes-preserve-unknown-fields"]
      ? { additionalProperties: false, ...inner }
      : inner;
  });

const mapSchemas = (schema: Schema, change: (inner: Schema) => Schema): Schema => {
  const map = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(map);
    }
    return typeof value === "object" && value !== null
      ? mapSchemas(value as Schema, change)
      : value;
  };
  const entries = Object.entries(schema).map(([key, value]) => [key, map(value)] as const);
  return change(Object.fromEntries(entries));
};

/** The definitions that a schema refers to, and those that they refer to. */
const usedBy = (schema: Schema, definitions: Record<string, Schema>) => {
  const used: Record<string, Schema> = {};
  const queue: Schema[] = [schema];
  for (let next = queue.pop(); next; next = queue.pop()) {
    for (const [, name = ""] of JSON.stringify(next).matchAll(/"#\/definitions\/([^"]+)"/g)) {
      const definition = definitions[name];
      if (definition && !used[name]) {
        used[name] = definition;
        queue.push(definition);
      }
    }
  }
  return used;
};
