import * as v from "valibot";

const count = (description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description));

const text = (description: string) => v.pipe(v.string(), v.description(description));

/** What the API server keeps of a PythonLambda's status. Metacontroller adds `observedGeneration`. */
export const pythonLambdaStatus = v.pipe(
  v.partial(
    v.object({
      observedGeneration: v.pipe(
        count("The `metadata.generation` that the rest of the status is about."),
        v.metadata({ format: "int64" }),
      ),
      configmaps: count("How many ConfigMaps there are: one for each revision in use."),
      services: count("How many Services there are."),
      ingress: count("How many Ingresses there are."),
      pods: count("How many pods there are."),
      readyPods: count("How many of the pods are ready to serve."),
      url: text("Where the lambda answers."),
      revision: text("A digest of the code and of all else that the newest pods run."),
      selector: text("The label selector of the pods."),
      conditions: v.pipe(
        v.array(
          v.object({
            type: text("What the condition is about: `Ready`."),
            status: v.pipe(
              v.picklist(["True", "False", "Unknown"]),
              v.description("Whether it holds."),
            ),
            reason: text("Why, in one word."),
            message: text("Why, in a sentence."),
          }),
        ),
        v.description("What holds of the lambda."),
        v.metadata({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] }),
      ),
    }),
  ),
  v.description("What is observed of the lambda."),
);
