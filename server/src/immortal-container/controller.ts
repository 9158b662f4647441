import { compositeHook, type Hook } from "../metacontroller/hook.ts";
import { immortalContainer } from "./schema.ts";
import { sync } from "./sync.ts";

/**
 * The hook of the ImmortalContainer controller.
 * @param now the time in milliseconds since 1970
 */
export const immortalContainerHook = (now: () => number): Hook =>
  compositeHook({
    name: "immortal-container",
    parent: immortalContainer,
    sync: (request) => sync(request, now()),
  });
