import type { LocalLambda, Manifest } from "./manifest.ts";
import type { Problem } from "./problem.ts";

/**
 * All lambdas of some manifests, less those that claim the name or the host of an earlier one: the earlier keeps it, as on a
 * cluster.
 */
export const combine = (manifests: readonly Manifest[]): Manifest => {
  const lambdas: LocalLambda[] = [];
  const problems: Problem[] = manifests.flatMap((manifest) => manifest.problems);
  for (const lambda of manifests.flatMap((manifest) => manifest.lambdas)) {
    const rival = lambdas.find(({ name, host }) => name === lambda.name || host === lambda.host);
    if (rival === undefined) {
      lambdas.push(lambda);
    } else {
      problems.push({ file: lambda.file, line: lambda.line, message: clash(lambda, rival) });
    }
  }
  return { lambdas, problems };
};

const clash = (lambda: LocalLambda, rival: LocalLambda): string => {
  const there = `${rival.file}:${rival.line}`;
  return lambda.name === rival.name
    ? `there is a lambda ${rival.name} at ${there} already; give this one another name`
    : `lambda ${lambda.name} has the host ${lambda.host}, which lambda ${rival.name} at ${there} has already; give it a spec.host of its own`;
};

/** What to serve after a change: lambdas of files that cannot be read now stay as they were, until those can be. */
export const keepLastGood = (
  { lambdas, problems }: Manifest,
  served: readonly LocalLambda[],
): LocalLambda[] => {
  const brokenFiles = new Set(problems.map(({ file }) => file));
  const kept = served.filter(
    ({ file, name, host }) =>
      brokenFiles.has(file) &&
      !lambdas.some((lambda) => lambda.name === name || lambda.host === host),
  );
  return [...lambdas, ...kept];
};
