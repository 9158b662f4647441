import { join } from "node:path";
import { describe, expect } from "vitest";
import { eventually } from "../../server/test/eventually.ts";
import { REFUSED_LAMBDAS } from "../chart/lambdas.ts";
import {
  answers,
  ask,
  type Got,
  hostIn,
  inNamespace,
  isReady,
  kubectl,
  lambdaObject,
  serve,
  test,
} from "./fixture.ts";

const EXAMPLES = join(import.meta.dirname, "../../examples");

describe.concurrent("a lambda", () => {
  test("answers through its Ingress, on the chart's host when it names none, byte for byte", async ({
    ns,
  }) => {
    await ns.run(["apply", `--filename=${join(EXAMPLES, "hello.yaml")}`]);
    const body = await answers("/?name=Martin", {}, ({ status }) => status === 200);
    expect(body).toBe("Hello Martin! Your name in reverse is nitraM\n");
    await ns.run(["delete", "py/hello", "--cascade=foreground"]);
  });

  test("answers on its host with every method, header and byte", async ({ ns }) => {
    const code = `def handler(request):
      return request.body, 201, {"X-Method": request.method, "X-Got": request.headers.get("x-sent", "")}`;
    const host = await serve(ns, "echo", code);
    const body = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const answer = await ask("/any/path", {
      host,
      method: "PUT",
      body,
      headers: { "x-sent": "1" },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers["x-method"]).toBe("PUT");
    expect(answer.headers["x-got"]).toBe("1");
    expect(answer.body).toEqual(body);
  });

  test("whose output is empty says so", async ({ ns }) => {
    const host = await serve(ns, "empty", "pass");
    expect((await ask("/", { host })).body.toString()).toContain("Lambda output was empty");
  });

  test("with three replicas shares the requests among them", async ({ ns }) => {
    const code = `import os, time
def handler(request):
    time.sleep(0.1)
    return os.environ["HOSTNAME"]`;
    const host = await serve(ns, "three", code, { replicas: 3 });
    await ns.becomes("py/three", isReady);
    const seen = new Set<string>();
    await eventually(
      async () => {
        const together = Array.from({ length: 12 }, () => ask("/", { host }));
        for (const { body } of await Promise.all(together)) {
          seen.add(body.toString());
        }
        return seen.size === 3 ? true : undefined;
      },
      () => `three pods answer; these did: ${[...seen]}`,
    );
  });

  test("is scaled by kubectl scale", async ({ ns }) => {
    await serve(ns, "scaled", "output = 'a'");
    await ns.run(["scale", "py/scaled", "--replicas=3"]);
    await ns.becomes("py/scaled", (py) => py.status.readyPods === 3 && isReady(py));
    await ns.run(["scale", "py/scaled", "--replicas=0"]);
    await ns.becomes("py/scaled", (py) => py.status.pods === 0 && isReady(py));
  });

  test("moves to another host when its host is changed", async ({ ns }) => {
    const before = await serve(ns, "mover", "output = 'here'");
    const after = hostIn(ns, "moved");
    await ns.run([
      "patch",
      "py/mover",
      "--type=merge",
      "--patch",
      JSON.stringify({ spec: { host: after } }),
    ]);
    await answers("/", { host: after }, (_, body) => body === "here");
    await answers("/", { host: before }, ({ status }) => status === 404);
  });

  test("runs its new code when the code is changed, in a new revision with a ConfigMap of its own", async ({
    ns,
  }) => {
    const host = await serve(ns, "changed", "output = 'one'");
    const { revision } = (await ns.becomes("py/changed", isReady)).status;
    await ns.apply(lambdaObject("changed", { code: "output = 'two'", host }));
    await answers("/", { host }, (_, body) => body === "two");
    const { status } = await ns.becomes(
      "py/changed",
      (py) => isReady(py) && py.status.revision !== revision,
    );
    await ns.becomes("configmaps", ({ items }) =>
      items.every(({ metadata }: Got) => metadata.name !== `changed-${revision}`),
    );
    expect(status.configmaps).toBeGreaterThan(0);
  });

  test("keeps serving its last good code when new code does not load", async ({ ns }) => {
    const host = await serve(ns, "broken", "output = 'good'");
    await ns.apply(lambdaObject("broken", { code: "if x", host }));
    await ns.becomes("pods", ({ items }) =>
      items.some((pod: Got) =>
        pod.status.containerStatuses?.some(({ lastState, state }: Got) =>
          (lastState?.terminated ?? state?.terminated)?.message?.includes("SyntaxError"),
        ),
      ),
    );
    for (let count = 0; count < 20; count++) {
      const answer = await ask("/", { host });
      expect(answer.body.toString()).toBe("good");
    }
    await ns.apply(lambdaObject("broken", { code: "output = 'mended'", host }));
    await answers("/", { host }, (_, body) => body === "mended");
  });

  test("has the bytes of its code in its pod's file", async ({ ns }) => {
    const code = '# \u00e9\t%s $(X) $$ {{ }} """ 😀\r\noutput = open(__file__, \'rb\').read()';
    const host = await serve(ns, "bytes", code);
    expect((await ask("/", { host })).body.toString()).toBe(code);
  });

  test("in one namespace and one of the same name in another do not touch", async ({ ns }) => {
    const other = inNamespace(`${ns.namespace}-other`);
    await kubectl(["create", "namespace", other.namespace]);
    try {
      const here = await serve(ns, "twin", "output = 'here'");
      const there = await serve(other, "twin", "output = 'there'");
      expect((await ask("/", { host: here })).body.toString()).toBe("here");
      expect((await ask("/", { host: there })).body.toString()).toBe("there");
      await other.run(["delete", "py/twin", "--cascade=foreground"]);
      expect((await ask("/", { host: here })).body.toString()).toBe("here");
    } finally {
      await kubectl(["delete", "namespace", other.namespace, "--wait=false"]);
    }
  });

  test("has true counts in its status and in kubectl get py", async ({ ns }) => {
    const host = await serve(ns, "counted", "output = 'a'", { replicas: 2 });
    const { status } = await ns.becomes("py/counted", isReady);
    expect(status).toMatchObject({
      configmaps: 1,
      services: 1,
      ingress: 1,
      pods: 2,
      readyPods: 2,
      url: `http://${host}/`,
      observedGeneration: 1,
    });
    const [head, row] = (await ns.run(["get", "py"]))
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect(head).toEqual(["NAME", "URL", "READY", "PODS", "REVISION", "REASON", "AGE"]);
    expect(row?.slice(0, 6)).toEqual([
      "counted",
      `http://${host}/`,
      "True",
      "2",
      status.revision,
      "Ready",
    ]);
  });
});

describe.concurrent("a child of a lambda", () => {
  test.for(["configmap", "deployment", "service", "ingress"])(
    "that is deleted comes back: %s",
    async (kind, { ns }) => {
      const host = await serve(ns, "phoenix", "output = 'alive'");
      const [child] = (await ns.get(kind, "--selector=app=phoenix")).items;
      await ns.run(["delete", kind, child.metadata.name, "--wait=false"]);
      await ns.becomes(
        `${kind}/${child.metadata.name}`,
        ({ metadata }) => metadata.uid !== child.metadata.uid && !metadata.deletionTimestamp,
      );
      await answers("/", { host }, (_, body) => body === "alive");
    },
  );

  test.for([
    [
      "deployment",
      { spec: { replicas: 5, template: { spec: { terminationGracePeriodSeconds: 20 } } } },
      (child: Got) =>
        child.spec.replicas === 1 && child.spec.template.spec.terminationGracePeriodSeconds === 40,
    ],
    [
      "service",
      { spec: { selector: { app: "other" } } },
      (child: Got) => child.spec.selector.app === "edited",
    ],
    [
      "ingress",
      { spec: { rules: [{ host: "other.example.com" }] } },
      (child: Got) => child.spec.rules[0].host !== "other.example.com",
    ],
  ] as const)("that is edited by hand is put right: %s", async ([kind, edit, isRight], { ns }) => {
    const host = await serve(ns, "edited", "output = 'right'");
    await ns.run(["patch", `${kind}/edited`, "--type=merge", "--patch", JSON.stringify(edit)]);
    await ns.becomes(`${kind}/edited`, isRight);
    await answers("/", { host }, (_, body) => body === "right");
  });

  test("goes with the lambda: deleting it leaves nothing behind", async ({ ns }) => {
    await serve(ns, "leaver", "output = 'a'");
    await ns.run(["delete", "py/leaver"]);
    await ns.becomes("all,configmaps,ingresses", ({ items }) =>
      items.every(({ metadata }: Got) => metadata.name === "kube-root-ca.crt"),
    );
  });
});

describe("kubectl apply refuses, and says why,", () => {
  test("every lambda that the schema refuses", async ({ ns }) => {
    expect(REFUSED_LAMBDAS.length).toBeGreaterThanOrEqual(20);
    for (const { title, object, reason } of REFUSED_LAMBDAS) {
      await expect(ns.apply(object), title).rejects.toThrow(reason);
    }
    expect((await ns.get("py")).items).toEqual([]);
  });
});
