import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { httpPortOf, imageOf, kindConfig } from "./kind-config.ts";

describe("the cluster's configuration", () => {
  test("maps port 80 of its one node to the port of the loopback address", () => {
    expect(parse(kindConfig({ httpPort: 8081 })).nodes).toEqual([
      {
        role: "control-plane",
        extraPortMappings: [{ containerPort: 80, hostPort: 8081, listenAddress: "127.0.0.1" }],
      },
    ]);
  });

  test("runs on cgroup v1 and without the right to lower an OOM score", () => {
    const config = parse(kindConfig({ httpPort: 8081 }));
    expect(config.kubeadmConfigPatches.map((patch: string) => parse(patch))).toEqual([
      {
        kind: "KubeletConfiguration",
        apiVersion: "kubelet.config.k8s.io/v1beta1",
        failCgroupV1: false,
      },
    ]);
    expect(config.containerdConfigPatches).toEqual([
      expect.stringContaining("restrict_oom_score_adj = true"),
    ]);
  });

  test("leaves the network to kind with kind's image, and to ours with ours", () => {
    expect(parse(kindConfig({ httpPort: 1 })).networking.disableDefaultCNI).toBe(false);
    expect(parse(kindConfig({ httpPort: 1, image: "x" })).networking.disableDefaultCNI).toBe(true);
  });

  test("says which port and image it was made with", () => {
    const config = kindConfig({ httpPort: 8081, image: "kind-node:1" });
    expect([httpPortOf(config), imageOf(config)]).toEqual([8081, "kind-node:1"]);
    expect(imageOf(kindConfig({ httpPort: 8081 }))).toBeUndefined();
  });
});
