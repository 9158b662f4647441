import * as v from "valibot";
import { matches } from "../kubernetes/selector.ts";
import { changedAtSeconds, contentHash } from "./content.ts";
import type { AnnotationNames } from "./names.ts";
import type { Options } from "./options.ts";
import { isLiving } from "./pods.ts";
import type { ConfigMap, Pod } from "./schema.ts";

/** What is recorded on a pod of which nobody knows what it started with, but that it may be other content. */
const UNKNOWN = "unknown";

/** What the reloader remembers of a ConfigMap, in one of its annotations. */
const seenContent = v.object({
  hash: v.string(),
  changedAtSeconds: v.number(),
  selector: v.string(),
  keys: v.exactOptional(v.array(v.string())),
});

type Seen = v.InferOutput<typeof seenContent>;

interface AssessedPod {
  pod: Pod;
  /** The hash of what it started with, or `UNKNOWN`. */
  startedWith: string;
  /** Whether the pod says so itself. */
  isRecorded: boolean;
}

/** A ConfigMap beside the living pods that it selects. */
export interface Assessment {
  /** Of the content as it is now. */
  hash: string;
  changedAtSeconds: number;
  pods: readonly AssessedPod[];
  /** What to remember of the ConfigMap, as the annotation's text, once each pod has its record. */
  seen: string;
  /** Whether just that is remembered. */
  isSeen: boolean;
}

/** Judges what each pod that a ConfigMap selects has started with. A pod of another namespace is none of them. */
export const assess = async (
  configMap: ConfigMap,
  pods: readonly Pod[],
  options: Options,
  names: AnnotationNames,
): Promise<Assessment> => {
  const { name, namespace, annotations } = configMap.metadata;
  const { selector, selectorText, keys } = options;
  const now: Seen = {
    hash: await contentHash(configMap, keys),
    changedAtSeconds: changedAtSeconds(configMap),
    selector: selectorText,
    ...(keys ? { keys: [...keys] } : {}),
  };
  const last = readSeen(annotations[names.seen]);
  const judge = judgeBy(now, last, last && (await contentHash(configMap, last.keys)));
  const recordName = await names.record(name);
  const selected = pods.filter(
    (pod) =>
      pod.metadata.namespace === namespace &&
      isLiving(pod) &&
      matches(selector, pod.metadata.labels),
  );
  const seen = JSON.stringify(now);
  return {
    hash: now.hash,
    changedAtSeconds: now.changedAtSeconds,
    pods: selected.map((pod) => {
      const record = pod.metadata.annotations[recordName];
      const startedWith = judge(pod, record);
      return { pod, startedWith, isRecorded: record === startedWith };
    }),
    seen,
    isSeen: annotations[names.seen] === seen,
  };
};

/** Whether there is nothing to record, to remember or to restart. */
export const isSettled = ({ hash, pods, isSeen }: Assessment): boolean =>
  isSeen && pods.every(({ startedWith, isRecorded }) => isRecorded && startedWith === hash);

const readSeen = (text: string | undefined): Seen | undefined => {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), seenContent), text);
  return read.success ? read.output : undefined;
};

/**
 * How to tell what a pod has started with.
 * @param hashByLastKeys of the content as it is now, by the keys that counted when it was seen last: a pod that started with
 * that has the content of now, whichever keys count by now.
 */
const judgeBy =
  (now: Seen, last: Seen | undefined, hashByLastKeys: string | undefined) =>
  ({ metadata }: Pod, record: string | undefined): string => {
    if (record !== undefined) {
      return record === hashByLastKeys ? now.hash : record;
    }
    const isFirstLook = last?.selector !== now.selector;
    const isUntouched =
      last?.hash === hashByLastKeys && last?.changedAtSeconds === now.changedAtSeconds;
    const isYounger = metadata.creationTimestamp > now.changedAtSeconds;
    return isFirstLook || isUntouched || isYounger ? now.hash : UNKNOWN;
  };
