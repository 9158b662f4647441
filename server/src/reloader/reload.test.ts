import { describe, expect, test } from "vitest";
import type { Report } from "../configmap-reloader/reports.ts";
import type { ConfigMap, Pod } from "../configmap-reloader/schema.ts";
import {
  ANNOTATION,
  at,
  NAMES,
  readConfigMap,
  readPod,
  secondsAt,
} from "../configmap-reloader/testing.ts";
import type { Cluster } from "./cluster.ts";
import { reloaderHooks } from "./reload.ts";

const NOW = 1000;

/** A cluster in memory, of one ConfigMap and pods that a ReplicaSet of as many wants. */
const makeCluster = (configMap: ConfigMap, pods: Pod[], refusal?: string) => {
  const reports: Report[] = [];
  const evicted: string[] = [];
  const reads: string[] = [];
  const desired = pods.length;
  const cluster: Cluster = {
    configMap: async (namespace, name) => {
      reads.push(`${namespace}/${name}`);
      return name === configMap.metadata.name ? configMap : undefined;
    },
    pods: async () => pods,
    desiredPods: async (_, kind) => (kind === "ReplicaSet" ? desired : undefined),
    annotate: async ({ metadata }, name, value) => {
      metadata.annotations[name] = value;
    },
    evict: async ({ metadata }) => {
      if (refusal === undefined) {
        evicted.push(metadata.name);
        metadata.deletionTimestamp = at(NOW);
      }
      return refusal;
    },
    report: async (_, report) => {
      reports.push(report);
    },
  };
  const [sync] = reloaderHooks({
    cluster,
    annotation: ANNOTATION,
    nowSeconds: () => secondsAt(NOW),
  });
  /** Calls the hook as Metacontroller does, with what is there or what is given instead, and writes what it answers. */
  const call = async (object: unknown = toRequest(configMap), related: unknown[] = pods) => {
    const named = related.map((pod, index) => [String(index), toRequest(pod as Pod)]);
    const outcome = await sync?.call({ object, related: { "Pod.v1": Object.fromEntries(named) } });
    const { annotations = {} } = (outcome as { body?: { annotations?: object } }).body ?? {};
    Object.assign(configMap.metadata.annotations, annotations);
    return outcome;
  };
  return { call, evicted, reports, reads };
};

/** An object that was read, as it is sent: with its times as text. */
const toRequest = ({ metadata, ...rest }: ConfigMap | Pod) => ({
  ...rest,
  apiVersion: "v1",
  kind: "data" in rest ? "ConfigMap" : "Pod",
  metadata: {
    ...metadata,
    creationTimestamp: new Date(metadata.creationTimestamp * 1000).toISOString(),
    ...("managedFields" in metadata ? { managedFields: [] } : {}),
  },
});

const threePods = (record?: string) =>
  ["a", "b", "c"].map((name) => readPod({ name, ...(record ? { record } : {}) }));

describe("the reloader's hook", () => {
  test("first records what the pods started with, then remembers the content, and evicts none", async () => {
    const pods = threePods();
    const { call, evicted } = makeCluster(readConfigMap(), pods);
    const outcome = await call();
    const records = pods.map(
      ({ metadata }) => metadata.annotations["configmap.magalix.com/config"],
    );
    expect(new Set(records).size).toBe(1);
    expect(outcome).toMatchObject({
      status: 200,
      body: { annotations: { [NAMES.seen]: expect.stringContaining(records[0] ?? "") } },
    });
    expect(evicted).toEqual([]);
  });

  test("evicts one only when the content that it is evicted for is remembered", async () => {
    const { call, evicted, reports } = makeCluster(readConfigMap(), threePods("old"));
    await call();
    expect(evicted).toEqual([]);
    await call();
    expect(evicted).toEqual(["a"]);
    expect(reports).toMatchObject([{ type: "Normal", reason: "Evicted" }]);
    expect(await call()).toMatchObject({ status: 200, body: { resyncAfterSeconds: 5 } });
    expect(evicted).toEqual(["a"]);
  });

  test("asks the API server nothing when there is nothing to do", async () => {
    const { call, reads } = makeCluster(readConfigMap(), threePods());
    await call();
    await call();
    reads.length = 0;
    expect(await call()).toEqual({
      status: 200,
      body: { labels: {}, annotations: {}, attachments: [] },
    });
    expect(reads).toEqual([]);
  });

  test("evicts none for content and records that it is told of but that are not there", async () => {
    const pods = threePods();
    const configMap = readConfigMap();
    const { call, evicted } = makeCluster(configMap, pods);
    await call();
    await call(toRequest({ ...configMap, data: { a: "forged" } }), threePods("forged"));
    expect(evicted).toEqual([]);
  });

  test("does nothing about a ConfigMap that is gone, or no longer asks for it", async () => {
    const configMap = readConfigMap();
    const { call, evicted, reports } = makeCluster(configMap, threePods("old"));
    const request = toRequest(configMap);
    await call({ ...request, metadata: { ...request.metadata, name: "gone" } });
    delete configMap.metadata.annotations[ANNOTATION];
    await call(request);
    expect([...evicted, ...reports]).toEqual([]);
  });

  test("tells of annotations that it cannot read, and touches nothing", async () => {
    const pods = threePods("old");
    const configMap = readConfigMap({ annotations: { [ANNOTATION]: "" } });
    const { call, evicted, reports } = makeCluster(configMap, pods);
    expect(await call()).toMatchObject({ status: 200, body: { annotations: {} } });
    expect(reports).toMatchObject([{ type: "Warning", reason: "InvalidAnnotation" }]);
    expect(evicted).toEqual([]);
  });

  test("tells why an eviction is refused, and tries again soon", async () => {
    const { call, reports } = makeCluster(readConfigMap(), threePods("old"), "the budget");
    await call();
    expect(await call()).toMatchObject({ status: 200, body: { resyncAfterSeconds: 5 } });
    expect(reports).toMatchObject([{ type: "Warning", reason: "EvictionRefused" }]);
    expect(reports[0]?.message).toContain("the budget");
  });

  test("tells of pods that nothing would make anew", async () => {
    const { call, evicted, reports } = makeCluster(readConfigMap(), [
      readPod({ record: "old", owner: null }),
    ]);
    await call();
    await call();
    expect(reports).toMatchObject([{ type: "Warning", reason: "NotRestarted" }]);
    expect(evicted).toEqual([]);
  });

  test("refuses an object that is no ConfigMap", async () => {
    const { call } = makeCluster(readConfigMap(), []);
    expect(await call({ metadata: { name: "a" } })).toMatchObject({ status: 422 });
  });
});
