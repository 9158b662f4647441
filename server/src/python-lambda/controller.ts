import { compositeHook, type Hook } from "../metacontroller/hook.ts";
import { pythonLambda } from "./schema.ts";
import type { PythonLambdaSettings } from "./settings.ts";
import { sync } from "./sync.ts";

/** The hook of the PythonLambda controller. */
export const pythonLambdaHook = (settings: PythonLambdaSettings): Hook =>
  compositeHook({
    name: "python-lambda",
    parent: pythonLambda,
    sync: (request) => sync(request, settings),
  });
