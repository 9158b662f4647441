import * as v from "valibot";
import { conditions, count, observedGeneration, text } from "../kubernetes/status.ts";
import { MAX_NAME_LENGTH } from "./names.ts";

const MAX_IMAGE_LENGTH = 1000;

/** A name that leaves room for what the pod's adds to it. */
export const immortalContainerName = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.maxLength(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`),
);

/** What a person writes under `spec` of an ImmortalContainer. These texts are also those of the CRD. */
export const immortalContainerSpec = v.object({
  image: v.pipe(
    v.string(),
    v.minLength(1, "must have at least 1 character"),
    v.maxLength(MAX_IMAGE_LENGTH, `must have at most ${MAX_IMAGE_LENGTH} characters`),
    v.regex(/^\S*$/, "must have no space: it is the name of one image"),
    v.description("The image that the container runs, such as `nginx:1.29`."),
  ),
});

/** What the API server keeps of an ImmortalContainer's status, and gives to the next sync. */
export const immortalContainerStatus = v.pipe(
  v.partial(
    v.object({
      observedGeneration,
      currentPod: text("The pod's name when there is exactly one, else empty."),
      restarts: count("How many times the container was started again, in this pod or a new one."),
      backoffSeconds: count(
        "How long the next pod will wait to be replaced, should it end by itself soon after its start.",
      ),
      conditions: conditions("What holds of the container."),
    }),
  ),
  v.description("What is observed of the container."),
);

export type ImmortalContainerStatus = v.InferOutput<typeof immortalContainerStatus>;

export const IMMORTAL_CONTAINER_API_VERSION = "example.com/v1alpha1";
export const IMMORTAL_CONTAINER_KIND = "ImmortalContainer";

/** An ImmortalContainer as the API server has it. */
export const immortalContainer = v.object({
  apiVersion: v.literal(IMMORTAL_CONTAINER_API_VERSION),
  kind: v.literal(IMMORTAL_CONTAINER_KIND),
  metadata: v.looseObject({ name: immortalContainerName }),
  spec: immortalContainerSpec,
  status: v.optional(immortalContainerStatus, {}),
});

export type ImmortalContainer = v.InferOutput<typeof immortalContainer>;
