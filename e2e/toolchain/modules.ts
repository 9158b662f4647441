/** One Go module under modules/: the commands in its go.mod's `tool` lines are what is built. */
export type GoModule = {
  /** The module whose version the binaries carry. */
  readonly path: string;
  /** Linker variables to set, from the version (`v1.2.3`). */
  readonly stamp?: (version: string) => Readonly<Record<string, string>>;
  /** Needs a C compiler; a plain static binary otherwise. */
  readonly cgo?: boolean;
  readonly tags?: string;
  /** Commands whose name is not the last element of their package path: `[built, wanted]`. */
  readonly rename?: readonly [string, string];
  /** Folders of the module that are needed beside the binaries: where in the module, under which name. */
  readonly folders?: Readonly<Record<string, string>>;
  readonly aptPackages?: readonly string[];
};

/** Every tool that is built from Go modules, by its folder under modules/. Its version is in its go.mod. */
export const GO_MODULES = {
  kubernetes: {
    path: "k8s.io/kubernetes",
    stamp: (version) => {
      const [major = "", minor = ""] = version.slice(1).split(".");
      const variable = "k8s.io/component-base/version";
      return {
        [`${variable}.gitVersion`]: version,
        [`${variable}.gitMajor`]: major,
        [`${variable}.gitMinor`]: minor,
      };
    },
    folders: { "build/pause/linux": "pause" },
  },
  etcd: { path: "go.etcd.io/etcd/server/v3", rename: ["server", "etcd"] },
  coredns: { path: "github.com/coredns/coredns" },
  containerd: {
    path: "github.com/containerd/containerd/v2",
    stamp: (version) => ({ "github.com/containerd/containerd/v2/version.Version": version }),
  },
  runc: {
    path: "github.com/opencontainers/runc",
    cgo: true,
    tags: "seccomp",
    aptPackages: ["gcc", "libc6-dev", "libseccomp-dev", "pkg-config"],
  },
  crictl: { path: "sigs.k8s.io/cri-tools" },
  dockerd: {
    path: "github.com/moby/moby/v2",
    stamp: (version) => ({ "github.com/moby/moby/v2/dockerversion.Version": version.slice(1) }),
  },
  docker: {
    path: "github.com/docker/cli",
    stamp: (version) => ({
      "github.com/docker/cli/cli/version.Version": version.slice(1).replace("+incompatible", ""),
    }),
  },
  kind: { path: "sigs.k8s.io/kind", folders: { "images/base/files": "node-files" } },
  helm: {
    path: "helm.sh/helm/v4",
    stamp: (version) => ({ "helm.sh/helm/v4/internal/version.version": version }),
  },
  "helm-unittest": { path: "github.com/helm-unittest/helm-unittest" },
  "chart-testing": { path: "github.com/helm/chart-testing/v3" },
  kubeconform: { path: "github.com/yannh/kubeconform" },
  "kube-score": { path: "github.com/zegl/kube-score" },
  metacontroller: {
    path: "metacontroller",
    folders: { "deploy/helm/metacontroller": "chart" },
  },
  traefik: { path: "github.com/traefik/traefik/v3" },
} as const satisfies Record<string, GoModule>;

export type GoModuleName = keyof typeof GO_MODULES;

/**
 * The version of a module in the text of a go.mod that requires it.
 *
 * @throws where the text does not require the module.
 */
export function requiredVersion(goMod: string, path: string): string {
  const words = goMod.split("\n").map((line) =>
    line
      .replace(/^require\s/, "")
      .trim()
      .split(/\s+/),
  );
  const version = words.find(([first, second]) => first === path && second?.startsWith("v"))?.[1];
  if (version === undefined) throw new Error(`go.mod requires no ${path}`);
  return version;
}

/** The arguments of `go` that build all commands of the module, at this version, into the folder. */
export function buildArguments(module: GoModule, version: string, outDir: string): string[] {
  const variables = Object.entries(module.stamp?.(version) ?? {});
  const linkerFlags = ["-s", "-w", ...variables.map(([name, value]) => `-X=${name}=${value}`)];
  return [
    "build",
    "-trimpath",
    "-buildvcs=false",
    `-ldflags=${linkerFlags.join(" ")}`,
    ...(module.tags === undefined ? [] : [`-tags=${module.tags}`]),
    `-o=${outDir}/`,
    "tool",
  ];
}
