import * as v from "valibot";

/** One thing that is wrong with a value: where (`parent.spec.replicas`) and what. */
export interface Issue {
  path: string;
  message: string;
}

/** What a schema found wrong with a value, each with its path. */
export const toIssues = (found: readonly v.BaseIssue<unknown>[]): Issue[] =>
  found.map((issue) => ({ path: v.getDotPath(issue) ?? "", message: toMessage(issue) }));

/** What is wrong, as the end of a sentence that begins with the path. */
export const toMessage = ({ kind, message, expected, received }: v.BaseIssue<unknown>): string => {
  if (kind !== "schema") {
    return message;
  }
  if (received === "undefined") {
    return "is missing";
  }
  return expected === "never" ? "is not a field here" : `must be ${expected}, not ${received}`;
};
