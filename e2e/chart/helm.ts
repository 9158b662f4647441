import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { run } from "../toolchain/spawn.ts";
import { ensureCommands } from "../toolchain/toolchain.ts";

export const ROOT = join(import.meta.dirname, "../..");
export const OPERATOR_CHART = join(ROOT, "charts/python-lambda-operator");

/** A Kubernetes object as YAML has it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the tests are about.
  [field: string]: any;
}

/** Makes sure that helm and what looks at charts beside it can be called: found, or built, which may take minutes. */
export const ensureHelm = (): Promise<string> => ensureCommands(["helm", "kube-score"]);

/** Runs helm. @returns what it printed on standard output. @throws with what it printed last. */
export const helm = (...args: string[]): Promise<string> => run("helm", args);

/** Renders a chart as the release `python-lambda` in the namespace `default`, with further arguments of `helm template`. */
export const render = async (chart: string, ...args: string[]): Promise<Manifest[]> => {
  const yaml = await helm("template", "python-lambda", chart, ...args);
  return parseAllDocuments(yaml).flatMap((document) => {
    const [error] = document.errors;
    if (error) {
      throw error;
    }
    const manifest: Manifest | null = document.toJS();
    return manifest === null ? [] : [manifest];
  });
};

/**
 * The first object of a kind, or the one of that name.
 * @throws when there is none.
 */
export const find = (manifests: readonly Manifest[], kind: string, name?: string): Manifest => {
  const found = manifests.find(
    (manifest) => manifest.kind === kind && (name === undefined || manifest.metadata.name === name),
  );
  if (!found) {
    throw new Error(
      `no ${name ?? kind} among ${manifests.map((manifest) => manifest.kind).join(", ")}`,
    );
  }
  return found;
};
