import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished } from "vitest";
import { immortalContainerObject } from "../chart/small-kinds.ts";
import { OPERATOR_NAMESPACE, OPERATOR_RELEASE } from "../stack/stack.ts";
import { run } from "../toolchain/spawn.ts";
import { cluster, type Got, images, inNamespace, type Namespace, test } from "./fixture.ts";

const OBJECT = "immortalcontainers/web";
const POD = "web-immortalpod";

const LIVES = "python-lambda-operator/immortal:lives";
const LIVES_TOO = "python-lambda-operator/immortal:lives-too";
const ENDS = "python-lambda-operator/immortal:ends";

/** Lives until it is told to end, by a signal that says how, or until what it waits for is killed. */
const LIVE = `trap 'exit 0' TERM USR1; trap 'exit 1' USR2; sleep infinity & wait $!`;

const IMAGES_TIMEOUT_MS = 180_000;

/** Makes an image that runs a line of shell, of one that is in the cluster anyway. */
const makeImage = async (name: string, script: string): Promise<void> => {
  const container = await run("docker", ["create", images.runtime]);
  const entrypoint = `--change=ENTRYPOINT ${JSON.stringify(["/bin/sh", "-c", script])}`;
  await run("docker", ["commit", entrypoint, container, name]);
  await run("docker", ["rm", container]);
};

beforeAll(async () => {
  await makeImage(LIVES, LIVE);
  await makeImage(ENDS, "exit 0");
  await run("docker", ["tag", LIVES, LIVES_TOO]);
  const load = ["load", "docker-image", `--name=${cluster.name}`];
  await run("kind", [...load, LIVES, LIVES_TOO, ENDS]);
}, IMAGES_TIMEOUT_MS);

const readyCondition = ({ status }: Got) =>
  status?.conditions?.find(({ type }: Got) => type === "Ready");

const isReady = (object: Got): boolean => readyCondition(object)?.status === "True";

const inContainer = (ns: Namespace, script: string) =>
  ns.run(["exec", POD, "--", "sh", "-c", script]);

/** The container's id, as its node knows it. */
const containerId = async (ns: Namespace): Promise<string> => {
  const { status } = await ns.get(`pod/${POD}`);
  return status.containerStatuses[0].containerID.replace("containerd://", "");
};

const WAYS: Record<string, (ns: Namespace) => Promise<unknown>> = {
  "its pod is deleted": (ns) => ns.run(["delete", `pod/${POD}`, "--wait=false"]),
  "its pod is deleted with no grace": (ns) =>
    ns.run(["delete", `pod/${POD}`, "--grace-period=0", "--force"]),
  "it ends with exit code 0": (ns) => inContainer(ns, "kill -USR1 1"),
  "it ends with exit code 1": (ns) => inContainer(ns, "kill -USR2 1"),
  "its process is killed from the inside": (ns) =>
    inContainer(ns, "kill -9 $(cat /proc/1/task/1/children)"),
  "its pod is evicted": (ns) => {
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: POD } };
    const path = `/api/v1/namespaces/${ns.namespace}/pods/${POD}/eviction`;
    return ns.run(["create", `--raw=${path}`, "--filename=-"], JSON.stringify(eviction));
  },
  "its image is changed": (ns) => ns.apply(immortalContainerObject({ image: LIVES_TOO })),
  "its node stops its container": async (ns) => {
    const crictl = ["exec", `${cluster.name}-control-plane`, "crictl", "stop"];
    return run("docker", [...crictl, await containerId(ns)]);
  },
};

const live = async (ns: Namespace): Promise<Got> => {
  await ns.apply(immortalContainerObject({ image: LIVES }));
  return ns.becomes(OBJECT, isReady);
};

/** Waits until the container has been started again; prints how long that took. */
const comesBack = async (ns: Namespace, way: string, sinceMs: number): Promise<Got> => {
  const back = await ns.becomes(OBJECT, (got) => isReady(got) && got.status.restarts > 0);
  const seconds = ((performance.now() - sinceMs) / 1000).toFixed(1);
  process.stderr.write(`an ImmortalContainer is back after ${way}: ${seconds} s\n`);
  return back;
};

describe.concurrent("an ImmortalContainer comes back when", () => {
  test.for(Object.entries(WAYS))("%s", async ([way, die], { ns }) => {
    await live(ns);
    const before = await ns.get(`pod/${POD}`);
    const sinceMs = performance.now();
    await die(ns);
    const { spec, status } = await comesBack(ns, way, sinceMs);
    expect(status.currentPod).toBe(POD);
    const pod = await ns.get(`pod/${POD}`);
    // One for a new pod, and those that the kubelet counts: a start that fails on the node is one more.
    const newPods = pod.metadata.uid === before.metadata.uid ? 0 : 1;
    const restarts = newPods + pod.status.containerStatuses[0].restartCount;
    await ns.becomes(OBJECT, (got) => got.status.restarts === restarts);
    expect(pod.spec.containers).toMatchObject([{ name: "acontainer", image: spec.image }]);
    expect(pod.spec.restartPolicy).toBe("OnFailure");
  });
});

/** Takes a workload's pods away for the rest of the test, or until what it returns is called. */
const takeDown = async (namespace: string, workload: string): Promise<() => Promise<void>> => {
  const there = inNamespace(namespace);
  const { replicas, selector } = (await there.get(workload)).spec;
  const labels = Object.entries(selector.matchLabels).map(([key, value]) => `${key}=${value}`);
  const scale = (to: number) => there.run(["scale", workload, `--replicas=${to}`]);
  const bringBack = async () => {
    await scale(replicas);
    await there.run(["rollout", "status", workload, "--timeout=2m"]);
  };
  onTestFinished(bringBack);
  await scale(0);
  await there.run(["wait", "pods", `--selector=${labels}`, "--for=delete", "--timeout=90s"]);
  return bringBack;
};

describe("an ImmortalContainer that ends comes back when what is down comes back:", () => {
  test.for([
    ["the operator", OPERATOR_NAMESPACE, `deployment/${OPERATOR_RELEASE}-webhook`],
    ["Metacontroller", "metacontroller", "statefulset/metacontroller"],
  ] as const)("%s", async ([name, namespace, workload], { ns }) => {
    await live(ns);
    const bringBack = await takeDown(namespace, workload);
    await inContainer(ns, "kill -USR1 1");
    await ns.becomes(`pod/${POD}`, ({ status }) => status.phase === "Succeeded");
    const { metadata } = await ns.get(`pod/${POD}`);
    await bringBack();
    const sinceMs = performance.now();
    await comesBack(ns, `ending while ${name} was down`, sinceMs);
    expect((await ns.get(`pod/${POD}`)).metadata.uid).not.toBe(metadata.uid);
  });
});

describe.concurrent("an ImmortalContainer", () => {
  test("that ends at once backs off longer each time, and says so", async ({ ns }) => {
    await ns.apply(immortalContainerObject({ image: ENDS }));
    const waits = async (seconds: number) =>
      ns.becomes(OBJECT, (got) =>
        readyCondition(got)?.message.endsWith(`a new pod follows ${seconds} s after that`),
      );
    expect(readyCondition(await waits(10))).toMatchObject({ status: "False", reason: "BackOff" });
    const { status } = await ns.get(`pod/${POD}`);
    const ended = Date.parse(status.containerStatuses[0].state.terminated.finishedAt);
    const { restarts } = (await waits(20)).status;
    expect(restarts).toBe(2);
    const made = Date.parse((await ns.get(`pod/${POD}`)).metadata.creationTimestamp);
    expect(made - ended).toBeGreaterThanOrEqual(10_000);
  });

  test("whose image cannot be had says so, and lives when it is given another", async ({ ns }) => {
    await ns.apply(immortalContainerObject({ image: "UPPER:case" }));
    await ns.becomes(OBJECT, (got) => readyCondition(got)?.reason === "InvalidImageName");
    await live(ns);
  });

  test("is shown by kubectl get with its image, pod, readiness and restarts", async ({ ns }) => {
    await live(ns);
    const [head, row] = (await ns.run(["get", OBJECT])).split("\n");
    expect(head?.split(/\s+/)).toEqual(["NAME", "IMAGE", "POD", "READY", "RESTARTS", "AGE"]);
    expect(row?.split(/\s+/).slice(0, 5)).toEqual(["web", LIVES, POD, "True", "0"]);
  });

  test("whose pod's name is taken says so in an Event, and lives when the name is free", async ({
    ns,
  }) => {
    const containers = [{ name: "a", image: LIVES }];
    const rival = { apiVersion: "v1", kind: "Pod", metadata: { name: POD }, spec: { containers } };
    await ns.apply(rival);
    await ns.apply(immortalContainerObject({ image: LIVES }));
    await ns.becomes("events", ({ items }) =>
      items.some(
        ({ involvedObject, message }: Got) =>
          involvedObject.kind === "ImmortalContainer" && message.includes("already exists"),
      ),
    );
    expect((await ns.get(OBJECT)).status.currentPod).toBe("");
    await ns.run(["delete", `pod/${POD}`]);
    await ns.becomes(OBJECT, isReady);
  });

  test("takes its pod with it when it is deleted", async ({ ns }) => {
    await live(ns);
    await ns.run(["delete", OBJECT]);
    await ns.becomes("pods", ({ items }) => items.length === 0);
    await sleep(2_000);
    expect((await ns.get("pods")).items).toEqual([]);
  });
});
