import { HELLO_WORLD_API_VERSION } from "../../server/src/hello-world/schema.ts";
import { IMMORTAL_CONTAINER_API_VERSION } from "../../server/src/immortal-container/schema.ts";

const toObject = (apiVersion: string, kind: string) => (spec: unknown, name: string) => ({
  apiVersion,
  kind,
  metadata: { name },
  ...(spec === undefined ? {} : { spec }),
});

export const helloWorldObject = (spec?: unknown, name = "hello") =>
  toObject(HELLO_WORLD_API_VERSION, "HelloWorld")(spec, name);

export const immortalContainerObject = (spec?: unknown, name = "web") =>
  toObject(IMMORTAL_CONTAINER_API_VERSION, "ImmortalContainer")(spec, name);

/** HelloWorlds and ImmortalContainers that both the API server and the webhook server must refuse, and the first's words. */
export const REFUSED_OBJECTS = [
  { title: "no spec", reason: "spec: Required value", object: helloWorldObject() },
  { title: "nobody to greet", reason: "spec.who", object: helloWorldObject({ who: "" }) },
  { title: "a number to greet", reason: "spec.who", object: helloWorldObject({ who: 7 }) },
  {
    title: "too many characters to greet",
    reason: "spec.who: Too long",
    object: helloWorldObject({ who: "a".repeat(1001) }),
  },
  {
    title: "a NUL in whom to greet",
    reason: "must have no NUL character",
    object: helloWorldObject({ who: "a\0" }),
  },
  { title: "no spec", reason: "spec: Required value", object: immortalContainerObject() },
  {
    title: "no image",
    reason: "spec.image: Required value",
    object: immortalContainerObject({}),
  },
  {
    title: "an empty image",
    reason: "spec.image",
    object: immortalContainerObject({ image: "" }),
  },
  {
    title: "an image that is a list",
    reason: "spec.image",
    object: immortalContainerObject({ image: ["nginx"] }),
  },
  {
    title: "a space in its image",
    reason: "must have no space",
    object: immortalContainerObject({ image: "nginx 1" }),
  },
  {
    title: "a line break after its image",
    reason: "must have no space",
    object: immortalContainerObject({ image: "nginx\n" }),
  },
  {
    title: "too long an image",
    reason: "spec.image: Too long",
    object: immortalContainerObject({ image: "a".repeat(1001) }),
  },
  {
    title: "a name that leaves no room for its pod's",
    reason: "metadata.name must have at most 241 characters",
    object: immortalContainerObject({ image: "a" }, "a".repeat(242)),
  },
] as const;
