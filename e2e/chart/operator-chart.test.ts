import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { helloWorldHook } from "../../server/src/hello-world/controller.ts";
import { immortalContainerHook } from "../../server/src/immortal-container/controller.ts";
import { pythonLambdaHook } from "../../server/src/python-lambda/controller.ts";
import { parseSettings } from "../../server/src/settings.ts";
import { run } from "../toolchain/spawn.ts";
import { ensureHelm, find, helm, type Manifest, OPERATOR_CHART, render } from "./helm.ts";

const CI = await readdir(join(OPERATOR_CHART, "ci"));
const valuesFile = (name: string) => ["--values", join(OPERATOR_CHART, "ci", name)];

const settingsIn = (manifests: readonly Manifest[]) =>
  parseSettings(find(manifests, "ConfigMap").data["settings.json"], "the chart's ConfigMap");

beforeAll(ensureHelm, 15 * 60_000);

describe("the operator's chart", () => {
  it.each(CI)("has nothing that helm lint warns of, with %s", async (name) => {
    const lint = await helm("lint", "--strict", OPERATOR_CHART, ...valuesFile(name));
    expect(lint).toContain("0 chart(s) failed");
  });

  it.each(CI)("has nothing that kube-score finds, with %s", async (name) => {
    const args = ["template", "python-lambda", OPERATOR_CHART, "--skip-tests", ...valuesFile(name)];
    const yaml = await helm(...args);
    const score = ["score", "--kubernetes-version=v1.30", "--exit-one-on-warning", "-"];
    await run("kube-score", score, { stdin: { string: yaml } });
  });

  it("packs what it installs and no more", async () => {
    const folder = await mkdtemp(join(tmpdir(), "python-lambda-chart-"));
    await helm("package", OPERATOR_CHART, "--destination", folder);
    const [archive = ""] = await readdir(folder);
    const files = (await run("tar", ["-tzf", join(folder, archive)])).split("\n");
    await rm(folder, { recursive: true });
    expect(files).toContain("python-lambda-operator/templates/tests/lambda-pod.yaml");
    expect(files.filter((path) => /^[^/]+\/(ci|tests)\//.test(path))).toEqual([]);
  });

  it("hands its values to the webhook server as settings", async () => {
    const { pythonLambda, helloWorld } = settingsIn(
      await render(OPERATOR_CHART, ...valuesFile("full-values.yaml")),
    );
    expect(helloWorld).toEqual({
      image: "registry.example.com/busybox:1",
      imagePullPolicy: "Always",
    });
    expect(pythonLambda).toEqual({
      host: "lambdas.example.com",
      runtime: {
        image: "ghcr.io/python-lambda-operator/runtime:0.1.0",
        imagePullPolicy: "IfNotPresent",
        resources: {
          requests: { cpu: "20m", memory: "48Mi" },
          limits: { cpu: "500m", memory: "128Mi" },
        },
      },
      service: { annotations: { "example.com/load-balancing": "service" } },
      ingress: {
        className: "traefik",
        annotations: { "cert-manager.io/cluster-issuer": "letsencrypt" },
        tls: true,
      },
    });
  });

  it("rolls the webhook server when a setting changes, and not for anything else", async () => {
    const checksum = async (...args: string[]) => {
      const { spec } = find(await render(OPERATOR_CHART, ...args), "Deployment");
      return spec.template.metadata.annotations["checksum/settings"];
    };
    const before = await checksum();
    expect(await checksum("--set", "host=lambda.example.com")).not.toBe(before);
    expect(await checksum("--set", "replicas=3,resyncPeriodSeconds=60")).toBe(before);
  });

  it("leaves the Ingress class to the cluster when none is given", async () => {
    const { pythonLambda } = settingsIn(await render(OPERATOR_CHART));
    expect(pythonLambda.ingress).not.toHaveProperty("className");
  });

  it("has Metacontroller call each hook where the server has it", async () => {
    const manifests = await render(OPERATOR_CHART);
    const settings = settingsIn(manifests);
    const hooks = [
      pythonLambdaHook(settings.pythonLambda),
      immortalContainerHook(Date.now),
      helloWorldHook(settings.helloWorld),
    ];
    const { name } = find(manifests, "Service").metadata;
    for (const { controller, path } of hooks) {
      expect(find(manifests, "CompositeController", controller).spec.hooks).toEqual({
        sync: { webhook: { url: `http://${name}.default${path}`, timeout: "10s" } },
      });
    }
  });
});

describe("a value that is wrong", () => {
  it.each([
    ["hosts=example.com", "at '': additional properties 'hosts' not allowed"],
    ["host=an_underscore", "at '/host'"],
    ["replicas=-1", "at '/replicas'"],
    ["replicas=two", "at '/replicas'"],
    ["image.tag=1", "at '/image/tag'"],
    ["image.pullPolicy=Sometimes", "at '/image/pullPolicy'"],
    ["runtime.image.repository=", "at '/runtime/image/repository'"],
    ["runtime.resources.limit.cpu=1", "at '/runtime/resources': additional properties 'limit'"],
    ["service.annotations.a=true", "at '/service/annotations/a'"],
    ["ingress.tls=yes", "at '/ingress/tls'"],
    ["ingress.classname=nginx", "at '/ingress': additional properties 'classname'"],
    ["immortalContainer.enabled=yes", "at '/immortalContainer/enabled'"],
    ["helloWorld.image.repository=", "at '/helloWorld/image/repository'"],
    ["crds.keep=maybe", "at '/crds/keep'"],
    ["configMapReloader.annotation=noDomain", "at '/configMapReloader/annotation'"],
    ["configMapReloader.enable=true", "at '/configMapReloader': additional properties 'enable'"],
    ["resyncPeriodSeconds=0", "at '/resyncPeriodSeconds'"],
    ["probes.liveness.path=/", "at '/probes/liveness': additional properties 'path'"],
    ["tolerations[0].effect=NoWork", "at '/tolerations/0/effect'"],
    ["topologySpreadConstraints[0].maxSkew=1", "at '/topologySpreadConstraints/0'"],
  ])("is refused by its path: %s", async (setting, reason) => {
    await expect(render(OPERATOR_CHART, "--set", setting)).rejects.toThrow(reason);
  });
});
