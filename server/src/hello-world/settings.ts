import * as v from "valibot";

/** What the operator's owner decides for all HelloWorlds; the chart's values carry the defaults. */
export const helloWorldSettings = v.strictObject({
  /** An image with an `echo`. */
  image: v.pipe(v.string(), v.nonEmpty()),
  imagePullPolicy: v.optional(v.picklist(["Always", "IfNotPresent", "Never"])),
});

export type HelloWorldSettings = v.InferOutput<typeof helloWorldSettings>;
