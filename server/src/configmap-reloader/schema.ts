import * as v from "valibot";
import { timeSeconds } from "../kubernetes/times.ts";

const texts = v.optional(v.record(v.string(), v.string()), {});

/** A ConfigMap, as far as its content and when that changed are of interest. */
export const configMap = v.looseObject({
  metadata: v.looseObject({
    name: v.string(),
    namespace: v.string(),
    uid: v.string(),
    creationTimestamp: timeSeconds,
    annotations: texts,
    managedFields: v.optional(
      v.array(
        v.looseObject({
          time: v.optional(timeSeconds),
          fieldsV1: v.optional(v.record(v.string(), v.unknown()), {}),
        }),
      ),
      [],
    ),
  }),
  data: texts,
  /** Each value is base64. */
  binaryData: texts,
});

export type ConfigMap = v.InferOutput<typeof configMap>;

const containerStatuses = v.optional(
  v.array(
    v.looseObject({
      name: v.string(),
      restartCount: v.optional(v.number(), 0),
      state: v.optional(
        v.looseObject({
          waiting: v.optional(v.looseObject({ reason: v.optional(v.string()) })),
        }),
        {},
      ),
    }),
  ),
  [],
);

/** A pod, as far as its record, its owner and its readiness are of interest. */
export const pod = v.looseObject({
  metadata: v.looseObject({
    name: v.string(),
    namespace: v.string(),
    uid: v.string(),
    creationTimestamp: timeSeconds,
    deletionTimestamp: v.optional(v.string()),
    labels: texts,
    annotations: texts,
    ownerReferences: v.optional(
      v.array(
        v.looseObject({
          kind: v.string(),
          name: v.string(),
          uid: v.string(),
          controller: v.optional(v.boolean()),
        }),
      ),
      [],
    ),
  }),
  status: v.optional(
    v.looseObject({
      phase: v.optional(v.string()),
      conditions: v.optional(v.array(v.looseObject({ type: v.string(), status: v.string() })), []),
      containerStatuses,
      initContainerStatuses: containerStatuses,
    }),
    {},
  ),
});

export type Pod = v.InferOutput<typeof pod>;
