import * as v from "valibot";

/** A field of a status that counts something. */
export const count = (description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description));

/** A field of a status that says something. */
export const text = (description: string) => v.pipe(v.string(), v.description(description));

/** The field that Metacontroller adds to each status. */
export const observedGeneration = v.pipe(
  count("The `metadata.generation` that the rest of the status is about."),
  v.metadata({ format: "int64" }),
);

const condition = v.object({
  type: text("What the condition is about: `Ready`."),
  status: v.pipe(v.picklist(["True", "False", "Unknown"]), v.description("Whether it holds.")),
  reason: text("Why, in one word."),
  message: text("Why, in a sentence."),
});

export type Condition = v.InferOutput<typeof condition>;

/**
 * A status' conditions, one of each type.
 * https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties
 */
export const conditions = (description: string) =>
  v.pipe(
    v.array(condition),
    v.description(description),
    v.metadata({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] }),
  );
