import { createHash } from "node:crypto";

/** A dependency as Chart.yaml and Chart.lock have it. */
export interface Dependency {
  name: string;
  version?: string;
  repository?: string;
  condition?: string;
  alias?: string;
}

/**
 * The digest in a Chart.lock, by which Helm knows that the lock is of these dependencies.
 * https://github.com/helm/helm/blob/v4.3.1/internal/resolver/resolver.go (HashReq)
 * @param asked the dependencies of Chart.yaml.
 * @param locked those of Chart.lock.
 */
export const lockDigest = (asked: readonly Dependency[], locked: readonly Dependency[]): string => {
  const json = JSON.stringify([asked.map(inOrder), locked.map(inOrder)]);
  return `sha256:${createHash("sha256").update(json).digest("hex")}`;
};

/** The fields in the order in which Helm writes them: all but `repository` are left out when empty. */
const inOrder = ({ name, version, repository = "", condition, alias }: Dependency) => ({
  name,
  ...(version ? { version } : {}),
  repository,
  ...(condition ? { condition } : {}),
  ...(alias ? { alias } : {}),
});
