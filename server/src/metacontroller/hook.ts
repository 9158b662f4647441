import * as v from "valibot";
import { type Issue, toIssues } from "../issues.ts";
import { type CompositeResponse, compositeRequest, compositeResponse } from "./protocol.ts";

/** What a hook call came to: 200 with Metacontroller's answer, else a refusal, which makes Metacontroller keep all and retry. */
type Outcome =
  | { status: 200; body: object }
  | { status: 422 | 500; error: string; message: string; issues: Issue[] };

/** A pure hook behind its URL path: the JSON value of a request in, what to answer out. It throws when the hook has a bug. */
export interface Hook {
  controller: string;
  path: `/${string}`;
  call: (body: unknown) => Promise<Outcome>;
}

interface CompositeController<P extends v.GenericSchema> {
  /** The controller's name: the first part of its path, and the name in logs. */
  name: string;
  /** The parent objects that it can read. Any other is answered 422, so that Metacontroller leaves its children alone. */
  parent: P;
  sync: (
    request: v.InferOutput<ReturnType<typeof compositeRequest<P>>>,
  ) => CompositeResponse | Promise<CompositeResponse>;
}

/** Turns a pure sync function into a hook at `/<name>/sync` that checks what comes in and what goes out. */
export const compositeHook = <P extends v.GenericSchema>(
  controller: CompositeController<P>,
): Hook => {
  const request = compositeRequest(controller.parent);
  return {
    controller: controller.name,
    path: `/${controller.name}/sync`,
    call: async (body) => {
      const asked = v.safeParse(request, body);
      if (!asked.success) {
        return {
          status: 422,
          error: "InvalidRequest",
          message: "the request cannot be read",
          issues: toIssues(asked.issues),
        };
      }
      const answered = v.safeParse(compositeResponse, await controller.sync(asked.output));
      if (!answered.success) {
        return {
          status: 500,
          error: "InvalidResponse",
          message: "the hook made an answer that Metacontroller must not see; it was held back",
          issues: toIssues(answered.issues),
        };
      }
      return { status: 200, body: answered.output };
    },
  };
};

const subject = v.object({
  parent: v.object({
    metadata: v.object({
      name: v.string(),
      namespace: v.optional(v.string()),
      generation: v.optional(v.number()),
    }),
  }),
});

/** Which object a request is about, as `{object: "namespace/name", generation}`, for the log; empty when it does not say. */
export const subjectOf = (body: unknown): { object?: string; generation?: number } => {
  const read = v.safeParse(subject, body);
  if (!read.success) {
    return {};
  }
  const { name, namespace, generation } = read.output.parent.metadata;
  return {
    object: namespace === undefined ? name : `${namespace}/${name}`,
    ...(generation === undefined ? {} : { generation }),
  };
};
