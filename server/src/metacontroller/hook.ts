import * as v from "valibot";
import { type Issue, toIssues } from "../issues.ts";
import {
  type CompositeResponse,
  compositeRequest,
  compositeResponse,
  customizeRequest,
  customizeResponse,
  type DecoratorResponse,
  decoratorRequest,
  decoratorResponse,
  type RelatedResource,
} from "./protocol.ts";

/** What a hook call came to: 200 with Metacontroller's answer, else a refusal, which makes Metacontroller keep all and retry. */
type Outcome =
  | { status: 200; body: object }
  | { status: 422 | 500; error: string; message: string; issues: Issue[] };

/** A hook behind its URL path: the JSON value of a request in, what to answer out. It throws when the hook has a bug. */
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
): Hook => ({
  controller: controller.name,
  path: `/${controller.name}/sync`,
  call: checked(compositeRequest(controller.parent), controller.sync, compositeResponse),
});

interface DecoratorController<O extends v.GenericSchema> {
  /** The controller's name: the first part of its path, and the name in logs. */
  name: string;
  /** The objects that it can read. Any other is answered 422. */
  object: O;
  sync: (
    request: v.InferOutput<ReturnType<typeof decoratorRequest<O>>>,
  ) => DecoratorResponse | Promise<DecoratorResponse>;
}

/** Turns a sync function into the hook of a DecoratorController at `/<name>/sync` that checks what comes in and what goes out. */
export const decoratorHook = <O extends v.GenericSchema>(
  controller: DecoratorController<O>,
): Hook => ({
  controller: controller.name,
  path: `/${controller.name}/sync`,
  call: checked(decoratorRequest(controller.object), controller.sync, decoratorResponse),
});

/**
 * The hook at `/<name>/customize` that has a controller told of these objects, too. It says the same of every parent:
 * Metacontroller keeps an answer by the parent's generation, which many kinds do not have, and its old releases by the name alone.
 */
export const customizeHook = (name: string, relatedResources: RelatedResource[]): Hook => ({
  controller: name,
  path: `/${name}/customize`,
  call: checked(customizeRequest, () => ({ relatedResources }), customizeResponse),
});

/** What a hook call does: reads the request, has it answered, and holds back an answer that is not as it must be. */
const checked =
  <Q extends v.GenericSchema, A extends v.GenericSchema<unknown, object>>(
    request: Q,
    answer: (request: v.InferOutput<Q>) => v.InferInput<A> | Promise<v.InferInput<A>>,
    response: A,
  ): Hook["call"] =>
  async (body) => {
    const asked = v.safeParse(request, body);
    if (!asked.success) {
      return {
        status: 422,
        error: "InvalidRequest",
        message: "the request cannot be read",
        issues: toIssues(asked.issues),
      };
    }
    const answered = v.safeParse(response, await answer(asked.output));
    if (!answered.success) {
      return {
        status: 500,
        error: "InvalidResponse",
        message: "the hook made an answer that Metacontroller must not see; it was held back",
        issues: toIssues(answered.issues),
      };
    }
    return { status: 200, body: answered.output };
  };

const about = v.object({
  metadata: v.object({
    name: v.string(),
    namespace: v.optional(v.string()),
    generation: v.optional(v.number()),
  }),
});

/** A composite's sync and every customize hook are about a `parent`, a decorator's sync is about an `object`. */
const subject = v.union([
  v.pipe(
    v.object({ parent: about }),
    v.transform(({ parent }) => parent),
  ),
  v.pipe(
    v.object({ object: about }),
    v.transform(({ object }) => object),
  ),
]);

/** Which object a request is about, as `{object: "namespace/name", generation}`, for the log; empty when it does not say. */
export const subjectOf = (body: unknown): { object?: string; generation?: number } => {
  const read = v.safeParse(subject, body);
  if (!read.success) {
    return {};
  }
  const { name, namespace, generation } = read.output.metadata;
  return {
    object: namespace === undefined ? name : `${namespace}/${name}`,
    ...(generation === undefined ? {} : { generation }),
  };
};
