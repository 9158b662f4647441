import * as v from "valibot";
import { count, observedGeneration } from "../kubernetes/status.ts";

const MAX_WHO_LENGTH = 1000;

/** What a person writes under `spec` of a HelloWorld. These texts are also those of the CRD. */
export const helloWorldSpec = v.object({
  who: v.optional(
    v.pipe(
      v.string(),
      v.minLength(1, "must have at least 1 character"),
      v.maxLength(MAX_WHO_LENGTH, `must have at most ${MAX_WHO_LENGTH} characters`),
      v.regex(/^[^\0]*$/, "must have no NUL character: no program can be told one"),
      v.description("Who is greeted: 1 to 1000 characters, `World` by default."),
    ),
    "World",
  ),
});

export const HELLO_WORLD_API_VERSION = "example.com/v1";
export const HELLO_WORLD_KIND = "HelloWorld";

/** A HelloWorld as the API server has it. */
export const helloWorld = v.object({
  apiVersion: v.literal(HELLO_WORLD_API_VERSION),
  kind: v.literal(HELLO_WORLD_KIND),
  metadata: v.looseObject({ name: v.string() }),
  spec: helloWorldSpec,
});

export type HelloWorld = v.InferOutput<typeof helloWorld>;

/** What the API server keeps of a HelloWorld's status. */
export const helloWorldStatus = v.pipe(
  v.partial(v.object({ observedGeneration, pods: count("How many pods there are.") })),
  v.description("What is observed of the HelloWorld."),
);
