import { describe, expect, test } from "vitest";
import { immortalContainerHook } from "./controller.ts";

/** Every test's now. */
const NOW = "2026-01-01T00:10:00Z";
const hook = immortalContainerHook(() => Date.parse(NOW));

const parentWith = ({ spec = { image: "nginx:1" }, ...more }: Record<string, unknown> = {}) => ({
  apiVersion: "example.com/v1alpha1",
  kind: "ImmortalContainer",
  metadata: { name: "web", namespace: "default", generation: 1 },
  spec,
  ...more,
});

const desiredPod = (restarts: number, backoffSeconds: number, image = "nginx:1") => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "web-immortalpod",
    annotations: {
      "example.com/restarts": String(restarts),
      "example.com/backoff-seconds": String(backoffSeconds),
    },
  },
  spec: {
    restartPolicy: "OnFailure",
    automountServiceAccountToken: false,
    containers: [{ name: "acontainer", image }],
  },
});

/** A pod as the API server has it. */
const observedPod = (restarts: number, backoffSeconds: number, status: object, metadata = {}) => {
  const desired = desiredPod(restarts, backoffSeconds);
  return { ...desired, metadata: { ...desired.metadata, uid: "1", ...metadata }, status };
};

const RUNNING = {
  phase: "Running",
  conditions: [{ type: "Ready", status: "True" }],
  containerStatuses: [{ name: "acontainer", restartCount: 0, state: { running: {} } }],
};

const ended = (phase: string, exitCode: number, startedAt: string, finishedAt: string) => ({
  phase,
  conditions: [{ type: "Ready", status: "False" }],
  containerStatuses: [
    {
      name: "acontainer",
      restartCount: 0,
      state: { terminated: { exitCode, startedAt, finishedAt } },
    },
  ],
});

/** A pod that ran for a second and ended `seconds` before now. */
const endedBefore = (seconds: number) => {
  const at = (before: number) => new Date(Date.parse(NOW) - before * 1000).toISOString();
  return ended("Succeeded", 0, at(seconds + 1), at(seconds));
};

const callWith = async (parent: unknown, ...pods: { metadata: { name: string } }[]) => {
  const byName = Object.fromEntries(pods.map((pod) => [`default/${pod.metadata.name}`, pod]));
  const outcome = await hook.call({ parent, children: { "Pod.v1": byName } });
  return JSON.parse(JSON.stringify(outcome));
};

const ready = (status: string, reason: string, message: string) => [
  { type: "Ready", status, reason, message },
];

describe("an ImmortalContainer", () => {
  test("that is new gets its pod", async () => {
    expect(await callWith(parentWith())).toEqual({
      status: 200,
      body: {
        status: {
          currentPod: "",
          conditions: ready("False", "Creating", "there is no pod; one is being made"),
        },
        children: [desiredPod(0, 0)],
      },
    });
  });

  test("that runs is Ready and says in which pod", async () => {
    expect((await callWith(parentWith(), observedPod(3, 20, RUNNING))).body).toEqual({
      status: {
        currentPod: "web-immortalpod",
        restarts: 3,
        backoffSeconds: 20,
        conditions: ready("True", "Ready", "the container runs"),
      },
      children: [desiredPod(3, 20)],
    });
  });

  test("whose pod is gone gets a new one, which counts", async () => {
    const status = { restarts: 3, backoffSeconds: 20 };
    const { body } = await callWith(parentWith({ status }));
    expect(body.children).toEqual([desiredPod(4, 20)]);
    expect(body.status).toMatchObject(status);
  });

  test("whose image changes wants a pod with the new image and all else as it was", async () => {
    const parent = parentWith({ spec: { image: "nginx:2" } });
    const { body } = await callWith(parent, observedPod(3, 20, RUNNING));
    expect(body.children).toEqual([desiredPod(3, 20, "nginx:2")]);
  });

  test("whose pod is being deleted waits for it to be gone", async () => {
    const status = { restarts: 3, backoffSeconds: 20 };
    const pod = observedPod(3, 10, endedBefore(0), { deletionTimestamp: NOW });
    const { body } = await callWith(parentWith({ status }), pod);
    expect(body).toEqual({
      status: {
        currentPod: "web-immortalpod",
        ...status,
        conditions: ready("False", "Terminating", "the pod is being deleted; a new one follows"),
      },
      children: [desiredPod(3, 10)],
    });
  });

  test("counts what the kubelet starts again, and repeats why that waits", async () => {
    const waiting = { reason: "CrashLoopBackOff", message: "back-off 10s" };
    const pod = observedPod(3, 0, {
      phase: "Running",
      containerStatuses: [{ name: "acontainer", restartCount: 2, state: { waiting } }],
    });
    const { body } = await callWith(parentWith(), pod);
    expect(body.status).toMatchObject({
      restarts: 5,
      conditions: ready("False", "CrashLoopBackOff", "back-off 10s"),
    });
  });

  test("whose pod no node takes says why", async () => {
    const pod = observedPod(0, 0, {
      phase: "Pending",
      conditions: [
        { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/1 nodes" },
      ],
    });
    const { body } = await callWith(parentWith(), pod);
    expect(body.status.conditions).toEqual(ready("False", "Unschedulable", "0/1 nodes"));
  });

  test("names no current pod while there are two", async () => {
    const other = observedPod(0, 0, RUNNING, { name: "other" });
    const { body } = await callWith(parentWith(), observedPod(0, 0, RUNNING), other);
    expect(body.status.currentPod).toBe("");
    expect(body.children).toEqual([desiredPod(0, 0)]);
  });
});

describe("a pod that has ended", () => {
  test("for the first time is remembered, and then replaced at once", async () => {
    const pod = observedPod(0, 0, endedBefore(1));
    const first = await callWith(parentWith(), pod);
    expect(first.body).toEqual({
      status: {
        currentPod: "web-immortalpod",
        restarts: 0,
        backoffSeconds: 10,
        conditions: ready(
          "False",
          "BackOff",
          "the container has ended with exit code 0; a new pod follows at once",
        ),
      },
      children: [desiredPod(0, 0)],
      resyncAfterSeconds: 1,
    });
    const second = await callWith(parentWith({ status: first.body.status }), pod);
    expect(second.body).toEqual({ status: first.body.status, children: [] });
    const third = await callWith(parentWith({ status: second.body.status }));
    expect(third.body.children).toEqual([desiredPod(1, 10)]);
  });

  test.each([
    [10, 3, 20, 7],
    [20, 19, 40, 1],
    [160, 0, 300, 160],
    [300, 100, 300, 200],
    [20, -3600, 40, 20],
  ])(
    "with a backoff of %i s, %i s ago, is kept: the next backoff is %i s, and it is looked at in %i s",
    async (backoffSeconds, ago, next, left) => {
      const pod = observedPod(2, backoffSeconds, endedBefore(ago));
      const status = { restarts: 2, backoffSeconds: next };
      const { body } = await callWith(parentWith({ status }), pod);
      expect(body.children).toEqual([desiredPod(2, backoffSeconds)]);
      expect(body.status.backoffSeconds).toBe(next);
      expect(body.resyncAfterSeconds).toBe(left);
      expect(body.status.conditions[0].message).toBe(
        `the container has ended with exit code 0; a new pod follows ${backoffSeconds} s after that`,
      );
    },
  );

  test("is let go when its backoff is over", async () => {
    const status = { restarts: 2, backoffSeconds: 40 };
    const { body } = await callWith(parentWith({ status }), observedPod(2, 20, endedBefore(20)));
    expect(body.children).toEqual([]);
  });

  test("is not let go before its end is remembered, late as it may be", async () => {
    const status = { restarts: 2, backoffSeconds: 20 };
    const { body } = await callWith(parentWith({ status }), observedPod(2, 20, endedBefore(60)));
    expect(body.children).toEqual([desiredPod(2, 20)]);
    expect(body.resyncAfterSeconds).toBe(1);
  });

  test("after ten minutes of running is replaced at once, as if it were the first", async () => {
    const pod = observedPod(
      2,
      300,
      ended("Succeeded", 0, "2026-01-01T00:00:00Z", "2026-01-01T00:10:00Z"),
    );
    const status = { restarts: 2, backoffSeconds: 10 };
    expect((await callWith(parentWith({ status }), pod)).body.children).toEqual([]);
  });

  test.each([null, "1970-01-01T00:00:00Z"])(
    "with a container that never started (%s) did not run for long",
    async (startedAt) => {
      const finishedAt = "2026-01-01T00:09:59Z";
      const pod = observedPod(0, 40, {
        ...endedBefore(1),
        containerStatuses: [{ state: { terminated: { exitCode: 128, startedAt, finishedAt } } }],
      });
      expect((await callWith(parentWith(), pod)).body.status.backoffSeconds).toBe(80);
    },
  );

  test("by an eviction that its node made is replaced too, and says so", async () => {
    const pod = observedPod(0, 10, {
      phase: "Failed",
      reason: "Evicted",
      conditions: [
        { type: "Initialized", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" },
        { type: "Ready", status: "False", lastTransitionTime: "2026-01-01T00:09:58Z" },
      ],
    });
    const { body } = await callWith(parentWith(), pod);
    expect(body.status).toMatchObject({
      backoffSeconds: 20,
      conditions: ready(
        "False",
        "BackOff",
        "the pod has failed: Evicted; a new pod follows 10 s after that",
      ),
    });
    expect(body.resyncAfterSeconds).toBe(8);
  });
});

describe("an ImmortalContainer is refused, so that its pod stays as it is, with", () => {
  test.each([
    ["no spec", parentWith({ spec: null }), "parent.spec"],
    ["no image", parentWith({ spec: {} }), "parent.spec.image"],
    ["an empty image", parentWith({ spec: { image: "" } }), "parent.spec.image"],
    ["an image that is a number", parentWith({ spec: { image: 1 } }), "parent.spec.image"],
    ["a space in its image", parentWith({ spec: { image: "a b" } }), "parent.spec.image"],
    ["an endless image", parentWith({ spec: { image: "a".repeat(1001) } }), "parent.spec.image"],
    [
      "a name that leaves no room for the pod's",
      parentWith({ metadata: { name: "a".repeat(242) } }),
      "parent.metadata.name",
    ],
  ])("%s", async (_, parent, path) => {
    expect(await callWith(parent)).toMatchObject({ status: 422, issues: [{ path }] });
  });
});
