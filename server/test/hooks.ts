import { helloWorldHook } from "../src/hello-world/controller.ts";
import { immortalContainerHook } from "../src/immortal-container/controller.ts";
import { pythonLambdaHook } from "../src/python-lambda/controller.ts";
import { settings as pythonLambda } from "../src/python-lambda/testing.ts";
import type { Settings } from "../src/settings.ts";

/** The operator's settings for tests. */
export const settings: Settings = {
  pythonLambda: pythonLambda(),
  helloWorld: { image: "busybox:1" },
};

/** Every hook that the operator has, at a time that stands still. */
export const hooks = [
  pythonLambdaHook(settings.pythonLambda),
  immortalContainerHook(() => 0),
  helloWorldHook(settings.helloWorld),
];
