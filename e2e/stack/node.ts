import type { Cluster } from "../toolchain/cluster.ts";
import { run, succeeds } from "../toolchain/spawn.ts";

/**
 * Keeps what pods send inside the node. A Service's address is no one's until kube-proxy has heard of it: a request that comes
 * too early would leave by the default route, and what answers there, if anything, would be taken for the Service.
 */
export const keepTrafficInside = async ({ name }: Cluster): Promise<void> => {
  const leaving = ["FORWARD", "-o", "eth0", "-m", "conntrack", "--ctstate", "NEW"];
  const rules = [
    [...leaving, "-p", "tcp", "-j", "REJECT", "--reject-with", "tcp-reset"],
    [...leaving, "-p", "udp", "-j", "REJECT"],
  ];
  const iptables = ["exec", `${name}-control-plane`, "iptables"];
  for (const rule of rules) {
    if (!(await succeeds("docker", [...iptables, "-C", ...rule]))) {
      await run("docker", [...iptables, "-I", ...rule]);
    }
  }
};
