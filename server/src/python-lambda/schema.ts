import * as v from "valibot";
import { hostname, serviceName } from "../kubernetes/names.ts";
import { conditions, count, observedGeneration, text } from "../kubernetes/status.ts";

/** Bounds the code: Metacontroller keeps each child whole in an annotation, and annotations end at 256 KiB. */
export const MAX_CODE_BYTES = 131_072;
const MAX_REPLICAS = 100;

/** What a person writes under `spec` of a PythonLambda. These texts are also those of the CRD and the docs. */
export const pythonLambdaSpec = v.object({
  code: v.pipe(
    v.string(),
    v.maxBytes(MAX_CODE_BYTES, `must have at most ${MAX_CODE_BYTES} bytes in UTF-8`),
    v.regex(/^[^\0]*$/, "must have no NUL character: Python source cannot contain one"),
    v.description(
      "Python source that answers HTTP requests: a script that reads `query_params` and sets `output`, or a module with a " +
        "`handler(request)` function. At most 131072 bytes in UTF-8, without NUL characters.",
    ),
  ),
  replicas: v.optional(
    v.pipe(
      v.number(),
      v.integer("must be a whole number"),
      v.minValue(0, "must be at least 0"),
      v.maxValue(MAX_REPLICAS, `must be at most ${MAX_REPLICAS}`),
      v.description("How many pods run the code: 0 to 100, 1 by default."),
    ),
    1,
  ),
  host: v.optional(
    v.pipe(
      hostname,
      v.description(
        "The host name that the lambda answers on, such as `hello.example.com`; the operator's default host when left out.",
      ),
    ),
  ),
});

export const PYTHON_LAMBDA_API_VERSION = "example.com/v1";
export const PYTHON_LAMBDA_KIND = "PythonLambda";

/** A PythonLambda as the API server has it. */
export const pythonLambda = v.object({
  apiVersion: v.literal(PYTHON_LAMBDA_API_VERSION),
  kind: v.literal(PYTHON_LAMBDA_KIND),
  metadata: v.looseObject({ name: serviceName, namespace: v.optional(v.string()) }),
  spec: pythonLambdaSpec,
});

export type PythonLambda = v.InferOutput<typeof pythonLambda>;

/** What the API server keeps of a PythonLambda's status. Metacontroller adds `observedGeneration`. */
export const pythonLambdaStatus = v.pipe(
  v.partial(
    v.object({
      observedGeneration,
      configmaps: count("How many ConfigMaps there are: one for each revision in use."),
      services: count("How many Services there are."),
      ingress: count("How many Ingresses there are."),
      pods: count("How many pods there are."),
      readyPods: count("How many of the pods are ready to serve."),
      url: text("Where the lambda answers."),
      revision: text("A digest of the code and of all else that the newest pods run."),
      selector: text("The label selector of the pods."),
      conditions: conditions("What holds of the lambda."),
    }),
  ),
  v.description("What is observed of the lambda."),
);

export type PythonLambdaStatus = v.InferOutput<typeof pythonLambdaStatus>;
