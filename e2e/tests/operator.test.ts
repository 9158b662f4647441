import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished } from "vitest";
import {
  installOperator,
  OPERATOR_CHART,
  OPERATOR_NAMESPACE,
  OPERATOR_RELEASE,
} from "../stack/stack.ts";
import {
  answers,
  ask,
  askAllTheTime,
  cluster,
  type Got,
  images,
  inNamespace,
  isReady,
  kubectl,
  lambdaObject,
  serve,
  test,
  uninstallOperator,
} from "./fixture.ts";

const operator = inNamespace(OPERATOR_NAMESPACE);
const WEBHOOK = `deployment/${OPERATOR_RELEASE}-webhook`;
const DOWN_MS = 60_000;

const webhookPods = async (): Promise<number> => {
  const selector = "--selector=app.kubernetes.io/component=webhook";
  return (await operator.get("pods", selector)).items.length;
};

describe("while the operator is down for a minute", () => {
  test("lambdas go on answering, and changes made meanwhile take effect within 30 s of its return", async ({
    ns,
  }) => {
    const host = await serve(ns, "steady", "output = 'before'");
    const { spec } = await operator.get(WEBHOOK);
    onTestFinished(async () => {
      await operator.run(["scale", WEBHOOK, `--replicas=${spec.replicas}`]);
      await operator.run(["rollout", "status", WEBHOOK, "--timeout=2m"]);
    });
    await operator.run(["scale", WEBHOOK, "--replicas=0"]);
    const stop = askAllTheTime(host);
    while ((await webhookPods()) > 0) {
      await sleep(200);
    }
    await ns.apply(lambdaObject("steady", { code: "output = 'after'", host }));
    await sleep(DOWN_MS);
    expect(Object.keys(await stop())).toEqual(["200 before"]);

    await operator.run(["scale", WEBHOOK, `--replicas=${spec.replicas}`]);
    await operator.run(["rollout", "status", WEBHOOK, "--timeout=2m"]);
    await answers("/", { host }, (_, body) => body === "after", 30_000);
  });
});

describe("an upgrade of the release", () => {
  test("from an older chart version keeps lambdas answering, and moves them to its runtime", async ({
    ns,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), "chart-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const pack = ["package", OPERATOR_CHART, "--version=0.0.1", `--destination=${folder}`];
    execFileSync("helm", pack, { stdio: "pipe" });
    const older = { ...images, runtime: `${images.runtime}-older` };
    await retag(images.runtime, older.runtime);
    onTestFinished(() => installOperator(cluster, images));
    await installOperator(cluster, older, join(folder, "python-lambda-operator-0.0.1.tgz"));

    const host = await serve(ns, "upgraded", "output = 'up'");
    await ns.becomes("py/upgraded", isReady);
    const stop = askAllTheTime(host);
    await installOperator(cluster, images);
    await ns.becomes("pods", ({ items }: Got) =>
      items.every((pod: Got) => pod.spec.containers[0].image === images.runtime),
    );
    await ns.becomes("py/upgraded", isReady);
    expect(Object.keys(await stop())).toEqual(["200 up"]);
  });
});

/** Gives an image a second name, here and in the cluster. */
const retag = async (image: string, name: string): Promise<void> => {
  execFileSync("docker", ["tag", image, name]);
  const load = ["load", "docker-image", `--name=${cluster.name}`, name];
  execFileSync("kind", load, { stdio: "pipe" });
};

describe("an uninstalled operator", () => {
  test("leaves the CRDs and the lambdas' objects, which answer, and an installed one finds them again", async ({
    ns,
  }) => {
    const host = await serve(ns, "orphan", "output = 'before'");
    onTestFinished(() => installOperator(cluster, images));
    await uninstallOperator();
    await kubectl(["get", "crd/pythonlambdas.example.com"]);
    expect((await ns.get("py")).items).toHaveLength(1);
    expect((await ask("/", { host })).body.toString()).toBe("before");
    await ns.apply(lambdaObject("orphan", { code: "output = 'after'", host }));

    await installOperator(cluster, images);
    await answers("/", { host }, (_, body) => body === "after");
    await ns.becomes("py/orphan", isReady);
  });
});
