import * as v from "valibot";
import { kubernetesObject } from "../kubernetes/objects.ts";

/**
 * What Metacontroller observes: kind and version (`Deployment.apps/v1`) to key to object. The key is `name` in hook v1 and
 * `namespace/name` in v2, so a name is taken from the object's own metadata.
 */
const observedObjects = v.record(v.string(), v.record(v.string(), kubernetesObject));

export type ObservedObjects = v.InferOutput<typeof observedObjects>;

/**
 * The body of a CompositeController's sync hook, for a parent that `parent` describes.
 * https://metacontroller.github.io/metacontroller/api/compositecontroller.html#sync-hook-request
 */
export const compositeRequest = <P extends v.GenericSchema>(parent: P) =>
  v.object({
    parent,
    children: observedObjects,
    related: v.optional(observedObjects, {}),
    finalizing: v.optional(v.boolean(), false),
  });

/** Metacontroller takes a null in a child for an object and crashes, so none is let out. */
const hasNull = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.values(value).some(hasNull));

const desiredObject = v.pipe(
  kubernetesObject,
  v.check((object) => !hasNull(object), "must have no null in it"),
);

/**
 * The answer of a CompositeController's sync hook. Children left out of it are deleted; `status` replaces the parent's whole
 * status.
 * https://metacontroller.github.io/metacontroller/api/compositecontroller.html#sync-hook-response
 */
export const compositeResponse = v.strictObject({
  status: v.pipe(
    v.record(v.string(), v.unknown()),
    v.check((status) => !hasNull(status), "must have no null in it"),
  ),
  children: v.array(desiredObject),
  resyncAfterSeconds: v.optional(v.pipe(v.number(), v.minValue(0))),
});

export type CompositeResponse = v.InferInput<typeof compositeResponse>;

/**
 * The body of a DecoratorController's sync hook, for an object that `object` describes.
 * https://metacontroller.github.io/metacontroller/api/decoratorcontroller.html#sync-hook-request
 */
export const decoratorRequest = <O extends v.GenericSchema>(object: O) =>
  v.object({
    object,
    attachments: v.optional(observedObjects, {}),
    related: v.optional(observedObjects, {}),
    finalizing: v.optional(v.boolean(), false),
  });

/**
 * The answer of a DecoratorController's sync hook. Labels and annotations are set on the object, or taken away by null; those
 * left out stay. It has no `status`, which leaves the object's as it is.
 * https://metacontroller.github.io/metacontroller/api/decoratorcontroller.html#sync-hook-response
 */
export const decoratorResponse = v.strictObject({
  labels: v.optional(v.record(v.string(), v.nullable(v.string())), {}),
  annotations: v.optional(v.record(v.string(), v.nullable(v.string())), {}),
  attachments: v.optional(v.array(desiredObject), []),
  resyncAfterSeconds: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
});

export type DecoratorResponse = v.InferInput<typeof decoratorResponse>;

/**
 * The body of a customize hook.
 * https://metacontroller.github.io/metacontroller/api/customize.html#customize-hook-request
 */
export const customizeRequest = v.object({ parent: kubernetesObject });

const relatedResource = v.strictObject({
  apiVersion: v.pipe(v.string(), v.nonEmpty()),
  /** The plural, such as `pods`. */
  resource: v.pipe(v.string(), v.nonEmpty()),
  /** The empty one selects all. Objects of a parent with a namespace are looked for in that. */
  labelSelector: v.strictObject({ matchLabels: v.optional(v.record(v.string(), v.string())) }),
});

/**
 * The answer of a customize hook: which objects a sync hook is told of, and called again for.
 * https://metacontroller.github.io/metacontroller/api/customize.html#customize-hook-response
 */
export const customizeResponse = v.strictObject({ relatedResources: v.array(relatedResource) });

export type RelatedResource = v.InferInput<typeof relatedResource>;
