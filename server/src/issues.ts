import * as v from "valibot";

/** One thing that is wrong with a value: where (`parent.spec.replicas`) and what. */
export interface Issue {
  path: string;
  message: string;
}

/** What a schema found wrong with a value, each with its path. */
export const toIssues = (found: readonly v.BaseIssue<unknown>[]): Issue[] =>
  found.map((issue) => ({ path: v.getDotPath(issue) ?? "", message: issue.message }));
