import * as v from "valibot";
import { type PythonLambda, pythonLambda } from "./schema.ts";
import { type PythonLambdaSettings, pythonLambdaSettings } from "./settings.ts";

/** A lambda for tests, as a person would apply it. */
export const lambda = (spec: object = {}, name = "hello") => ({
  apiVersion: "example.com/v1",
  kind: "PythonLambda",
  metadata: { name, namespace: "default", generation: 1 },
  spec: { code: "output = 1\n", ...spec },
});

/** The same, as the hooks get it once the schema has read it. */
export const readLambda = (spec: object = {}, name = "hello"): PythonLambda =>
  v.parse(pythonLambda, lambda(spec, name));

/** The operator's settings for tests: the least that is needed, and what is given. */
export const settings = (given: object = {}): PythonLambdaSettings =>
  v.parse(pythonLambdaSettings, { host: "localhost", runtime: { image: "runtime:1" }, ...given });
