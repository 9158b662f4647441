import * as v from "valibot";
import { helloWorldSettings } from "./hello-world/settings.ts";
import { toIssues } from "./issues.ts";
import { pythonLambdaSettings } from "./python-lambda/settings.ts";

const settings = v.strictObject({
  pythonLambda: pythonLambdaSettings,
  helloWorld: helloWorldSettings,
});

export type Settings = v.InferOutput<typeof settings>;

/**
 * Reads the operator's settings, a JSON document with a part for each controller.
 * @param source what the text was read from, for the error
 * @throws with every issue by path, when it is no JSON or not such settings
 */
export const parseSettings = (text: string, source: string): Settings => {
  const read = v.safeParse(
    v.pipe(v.string(), v.parseJson(undefined, "must be JSON"), settings),
    text,
  );
  if (!read.success) {
    const issues = toIssues(read.issues).map(({ path, message }) => `${path} ${message}`.trim());
    throw new Error(`${source} holds no valid settings: ${issues.join("; ")}`);
  }
  return read.output;
};
