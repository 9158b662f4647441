import { describe, expect, test } from "vitest";
import { revisionOf } from "./pod.ts";
import { configMap, deployment } from "./resources.ts";
import { sync } from "./sync.ts";
import { readLambda, settings } from "./testing.ts";

const NOTHING = {
  "ConfigMap.v1": {},
  "Deployment.apps/v1": {},
  "Service.v1": {},
  "Ingress.networking.k8s.io/v1": {},
};

const namesOf = (objects: readonly { kind: string; metadata: { name: string } }[]) =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

/** What is observed when a rollout of `spec` is done or under way, with the ConfigMaps of other revisions left behind. */
const observe = async (
  spec: object,
  { updated, ready, old = [] }: { updated: number; ready: number; old?: string[] },
) => {
  const parent = readLambda(spec);
  const revision = await revisionOf(parent, settings());
  const made = deployment(parent, revision, settings());
  const server = { uid: "1", resourceVersion: "2" };
  const maps = [configMap(parent, revision), ...old.map((name) => configMap(parent, name))];
  return {
    parent,
    revision,
    children: {
      ...NOTHING,
      "ConfigMap.v1": Object.fromEntries(
        maps.map((map) => [
          `default/${map.metadata.name}`,
          { ...map, metadata: { ...map.metadata, ...server } },
        ]),
      ),
      "Deployment.apps/v1": {
        hello: {
          ...made,
          metadata: { ...made.metadata, generation: 4 },
          status: {
            observedGeneration: 4,
            replicas: updated,
            updatedReplicas: updated,
            readyReplicas: ready,
            availableReplicas: ready,
          },
        },
      },
      "Service.v1": { hello: { apiVersion: "v1", kind: "Service", metadata: { name: "hello" } } },
    },
  };
};

describe("the sync of a PythonLambda", () => {
  test("wants a ConfigMap, a Deployment, a Service and an Ingress, and says that it is on its way", async () => {
    const { status, children } = await sync(
      { parent: readLambda(), children: NOTHING },
      settings(),
    );
    const revision = status.revision;
    expect(namesOf(children)).toEqual([
      `ConfigMap hello-${revision}`,
      "Deployment hello",
      "Service hello",
      "Ingress hello",
    ]);
    expect(status).toEqual({
      configmaps: 0,
      services: 0,
      ingress: 0,
      pods: 0,
      readyPods: 0,
      url: "http://localhost/",
      revision,
      selector: "app=hello,app.kubernetes.io/managed-by=python-lambda-operator",
      conditions: [
        {
          type: "Ready",
          status: "False",
          reason: "Progressing",
          message: `revision ${revision} is rolling out to 1 pod`,
        },
      ],
    });
  });

  test("counts what is observed, and is Ready when every pod is available and none is old", async () => {
    const { parent, children } = await observe(
      { replicas: 2, host: "a.org" },
      { updated: 2, ready: 2 },
    );
    const { status } = await sync({ parent, children }, settings({ ingress: { tls: true } }));
    expect(status).toMatchObject({
      configmaps: 1,
      services: 1,
      ingress: 0,
      pods: 2,
      readyPods: 2,
      url: "https://a.org/",
      conditions: [{ type: "Ready", status: "True", reason: "Ready", message: "2 pods ready" }],
    });
  });

  test("is Ready with no pods when none are wanted", async () => {
    const { parent, children } = await observe({ replicas: 0 }, { updated: 0, ready: 0 });
    const { status } = await sync({ parent, children }, settings());
    expect(status.conditions).toMatchObject([{ status: "True", message: "0 pods ready" }]);
  });

  test("keeps older revisions' code while their pods may live, as it was but for what the server added", async () => {
    const { parent, children, revision } = await observe(
      {},
      { updated: 1, ready: 0, old: ["0ld"] },
    );
    const answer = await sync({ parent, children }, settings());
    expect(namesOf(answer.children).slice(0, 2)).toEqual([
      `ConfigMap hello-${revision}`,
      "ConfigMap hello-0ld",
    ]);
    expect(answer.children[1]).toEqual(configMap(parent, "0ld"));
  });

  test("keeps them too when the Deployment still runs another revision, ready as it may be", async () => {
    const { children } = await observe({}, { updated: 1, ready: 1 });
    const answer = await sync({ parent: readLambda({ code: "new" }), children }, settings());
    expect(namesOf(answer.children).filter((name) => name.startsWith("ConfigMap"))).toHaveLength(2);
    expect(answer.status.conditions).toMatchObject([{ reason: "Progressing" }]);
  });

  test("lets older revisions' code go when the rollout is done", async () => {
    const { parent, children, revision } = await observe(
      {},
      { updated: 1, ready: 1, old: ["0ld"] },
    );
    const answer = await sync({ parent, children }, settings());
    expect(namesOf(answer.children)).toContain(`ConfigMap hello-${revision}`);
    expect(namesOf(answer.children)).not.toContain("ConfigMap hello-0ld");
  });

  test("does not take a Deployment's word before its controller has seen the last change", async () => {
    const { parent, children } = await observe({}, { updated: 1, ready: 1 });
    children["Deployment.apps/v1"].hello.status.observedGeneration = 3;
    const { status } = await sync({ parent, children }, settings());
    expect(status.conditions).toMatchObject([{ reason: "Progressing" }]);
  });

  test("asks for the same children again when nothing has changed", async () => {
    const { parent, children } = await observe({}, { updated: 1, ready: 1 });
    const first = await sync({ parent, children }, settings());
    expect(await sync({ parent, children }, settings())).toEqual(first);
  });
});
