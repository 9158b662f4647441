import * as v from "valibot";

/** Any Kubernetes object, as far as every controller relies on it: the rest is kept as it came. */
export const kubernetesObject = v.looseObject({
  apiVersion: v.pipe(v.string(), v.nonEmpty()),
  kind: v.pipe(v.string(), v.nonEmpty()),
  metadata: v.looseObject({ name: v.pipe(v.string(), v.nonEmpty()) }),
});
