import { compositeHook, type Hook } from "../metacontroller/hook.ts";
import { helloWorld } from "./schema.ts";
import type { HelloWorldSettings } from "./settings.ts";
import { sync } from "./sync.ts";

/** The hook of the HelloWorld controller. */
export const helloWorldHook = (settings: HelloWorldSettings): Hook =>
  compositeHook({
    name: "hello-world",
    parent: helloWorld,
    sync: (request) => sync(request, settings),
  });
