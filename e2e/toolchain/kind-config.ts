import { parse, stringify } from "yaml";

/**
 * The configuration of the cluster: one node, whose port 80 is a port of this machine's loopback address.
 * The patches let it run on a machine with cgroup v1 and without CAP_SYS_RESOURCE; on others they change
 * nothing that matters here.
 *
 * @param image the node image; kind's own where none is given. Ours has its network's configuration inside.
 */
export function kindConfig({
  httpPort,
  image,
}: {
  httpPort: number;
  image?: string | undefined;
}): string {
  const ingress = { containerPort: 80, hostPort: httpPort, listenAddress: "127.0.0.1" };
  return stringify({
    kind: "Cluster",
    apiVersion: "kind.x-k8s.io/v1alpha4",
    networking: { disableDefaultCNI: image !== undefined },
    kubeadmConfigPatches: [stringify(KUBELET_PATCH)],
    containerdConfigPatches: [CONTAINERD_PATCH],
    nodes: [
      {
        role: "control-plane",
        ...(image === undefined ? {} : { image }),
        extraPortMappings: [ingress],
      },
    ],
  });
}

const KUBELET_PATCH = {
  kind: "KubeletConfiguration",
  apiVersion: "kubelet.config.k8s.io/v1beta1",
  failCgroupV1: false,
};

const CONTAINERD_PATCH = `[plugins."io.containerd.grpc.v1.cri"]
  restrict_oom_score_adj = true
`;

/** The port of 127.0.0.1 in a configuration that `kindConfig` made. */
export function httpPortOf(config: string): number {
  return parse(config).nodes[0].extraPortMappings[0].hostPort;
}

/** The node image in a configuration that `kindConfig` made. */
export function imageOf(config: string): string | undefined {
  return parse(config).nodes[0].image;
}
