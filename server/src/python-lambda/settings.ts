import * as v from "valibot";
import { hostname } from "../kubernetes/names.ts";

const annotations = v.optional(v.record(v.string(), v.string()), {});

/** A quantity map such as `{cpu: "100m", memory: "64Mi"}`. */
const quantities = v.exactOptional(v.record(v.string(), v.union([v.string(), v.number()])));

/** What the operator's owner decides for all lambdas; the chart's values carry the defaults. */
export const pythonLambdaSettings = v.strictObject({
  /** The host of lambdas that give none. */
  host: hostname,
  /** The image whose entry point is `lambda_runtime`, and what its container may use. */
  runtime: v.strictObject({
    image: v.pipe(v.string(), v.nonEmpty()),
    imagePullPolicy: v.optional(v.picklist(["Always", "IfNotPresent", "Never"])),
    resources: v.optional(v.strictObject({ requests: quantities, limits: quantities }), {}),
  }),
  /** Annotations of each Service: how an Ingress controller is told to send to the Service and not to its pods. */
  service: v.optional(v.strictObject({ annotations }), {}),
  ingress: v.optional(
    v.strictObject({
      /** The cluster's default class when left out. */
      className: v.optional(v.string()),
      annotations,
      /** Whether each Ingress asks for the certificate in the Secret `<name>-tls-secret`. */
      tls: v.optional(v.boolean(), false),
    }),
    {},
  ),
});

export type PythonLambdaSettings = v.InferOutput<typeof pythonLambdaSettings>;
