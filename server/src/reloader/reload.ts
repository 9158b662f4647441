import * as v from "valibot";
import { type Assessment, assess, isSettled } from "../configmap-reloader/assess.ts";
import { type AnnotationNames, annotationNames } from "../configmap-reloader/names.ts";
import { type Options, parseOptions } from "../configmap-reloader/options.ts";
import { type DesiredPods, plan, podsLeftAlone } from "../configmap-reloader/plan.ts";
import { controllerOf } from "../configmap-reloader/pods.ts";
import * as reports from "../configmap-reloader/reports.ts";
import { type ConfigMap, configMap, type Pod, pod } from "../configmap-reloader/schema.ts";
import { customizeHook, decoratorHook, type Hook } from "../metacontroller/hook.ts";
import type { DecoratorResponse } from "../metacontroller/protocol.ts";
import type { Cluster } from "./cluster.ts";
import { createInTurn } from "./in-turn.ts";

const CONTROLLER = "configmap-reloader";

/** How soon an eviction that a budget refused is tried again. */
const REFUSED_RETRY_SECONDS = 5;

interface Dependencies {
  cluster: Cluster;
  /** The annotation that makes the reloader look after a ConfigMap. */
  annotation: string;
  /** Seconds since 1970. */
  nowSeconds: () => number;
}

/**
 * The hooks of the ConfigMap reloader. Metacontroller's call is but the news that something may be to be done: what is done is
 * decided from what the API server says then, so that neither an old cache nor a forged request restarts a pod.
 */
export const reloaderHooks = ({ cluster, annotation, nowSeconds }: Dependencies): Hook[] => {
  const names = annotationNames(annotation);
  const inTurn = createInTurn();
  return [
    decoratorHook({
      name: CONTROLLER,
      object: configMap,
      sync: async ({ object, related }) => {
        if (await isQuiet(object, Object.values(related["Pod.v1"] ?? {}), names)) {
          return {};
        }
        const { namespace, name } = object.metadata;
        const task = () => reload(cluster, names, nowSeconds, namespace, name);
        return inTurn(namespace, task);
      },
    }),
    customizeHook(CONTROLLER, [{ apiVersion: "v1", resource: "pods", labelSelector: {} }]),
  ];
};

/** Whether nothing is to be done, by what Metacontroller observes. */
const isQuiet = async (
  object: ConfigMap,
  related: readonly unknown[],
  names: AnnotationNames,
): Promise<boolean> => {
  const parsed = parseOptions(object.metadata.annotations, names);
  if ("problems" in parsed) {
    return false;
  }
  const pods = v.parse(v.array(pod), related);
  return isSettled(await assess(object, pods, parsed.options, names));
};

/** One step: records first, then the memory of the content, which the answer writes and which calls again, then evictions. */
const reload = async (
  cluster: Cluster,
  names: AnnotationNames,
  nowSeconds: () => number,
  namespace: string,
  name: string,
): Promise<DecoratorResponse> => {
  const about = await cluster.configMap(namespace, name);
  if (about?.metadata.annotations[names.selector] === undefined) {
    return {};
  }
  const parsed = parseOptions(about.metadata.annotations, names);
  if ("problems" in parsed) {
    await cluster.report(about, reports.refused(parsed.problems));
    return {};
  }
  const pods = await cluster.pods(namespace);
  const assessment = await assess(about, pods, parsed.options, names);
  await record(cluster, assessment, await names.record(name));
  if (!assessment.isSeen) {
    return { annotations: { [names.seen]: assessment.seen } };
  }
  return restart(cluster, about, assessment, parsed.options, pods, nowSeconds());
};

const record = async (
  cluster: Cluster,
  { pods }: Assessment,
  annotation: string,
): Promise<void> => {
  const unrecorded = pods.filter(({ isRecorded }) => !isRecorded);
  await Promise.all(
    unrecorded.map(({ pod, startedWith }) => cluster.annotate(pod, annotation, startedWith)),
  );
};

const restart = async (
  cluster: Cluster,
  about: ConfigMap,
  assessment: Assessment,
  options: Options,
  pods: readonly Pod[],
  nowSeconds: number,
): Promise<DecoratorResponse> => {
  const { hash } = assessment;
  const desired = await desiredPods(cluster, assessment);
  const alone = podsLeftAlone(assessment, desired);
  if (alone.length > 0) {
    await cluster.report(about, reports.leftAlone(alone));
  }
  const decided = plan(assessment, options, pods, desired, nowSeconds);
  switch (decided.kind) {
    case "evict":
      return evict(cluster, about, decided.pods, hash);
    case "wait":
      return { resyncAfterSeconds: decided.seconds };
    case "stopped":
      await cluster.report(about, reports.stopped(decided.pod, decided.why, decided.left, hash));
      return {};
    case "report":
      await cluster.report(about, reports.wouldEvict(decided.pods, hash));
      return {};
    case "done":
      return {};
  }
};

/** What the controllers of the selected pods want. */
const desiredPods = async (cluster: Cluster, { pods }: Assessment): Promise<DesiredPods> => {
  const desired = new Map<string, number>();
  for (const { pod } of pods) {
    const controller = controllerOf(pod);
    if (controller && !desired.has(controller.uid)) {
      const { kind, name, uid } = controller;
      const count = await cluster.desiredPods(pod.metadata.namespace, kind, name);
      if (count !== undefined) {
        desired.set(uid, count);
      }
    }
  }
  return desired;
};

const evict = async (
  cluster: Cluster,
  about: ConfigMap,
  pods: readonly Pod[],
  hash: string,
): Promise<DecoratorResponse> => {
  for (const pod of pods) {
    const refusal = await cluster.evict(pod);
    if (refusal !== undefined) {
      await cluster.report(about, reports.evictionRefused(pod, refusal));
      return { resyncAfterSeconds: REFUSED_RETRY_SECONDS };
    }
    await cluster.report(about, reports.evicted(pod, hash));
  }
  return {};
};
