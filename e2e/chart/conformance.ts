import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import spawn, { SubprocessError } from "nano-spawn";
import { SCHEMA_FILE, toSchemas } from "./openapi.ts";

/**
 * Checks rendered objects against the schemas of a cluster in which their kinds are known, by kubeconform -strict.
 * @param yaml what `helm template` printed.
 * @returns a line for each object that is wrong: none when all is well.
 */
export const nonconforming = async (kubeconfigPath: string, yaml: string): Promise<string[]> => {
  const get = [`--kubeconfig=${kubeconfigPath}`, "get", "--raw=/openapi/v2"];
  const openapi = JSON.parse((await spawn("kubectl", get)).stdout);
  const folder = await mkdtemp(join(tmpdir(), "python-lambda-schemas-"));
  try {
    for (const [name, schema] of toSchemas(openapi)) {
      await writeFile(join(folder, name), JSON.stringify(schema));
    }
    const location = `-schema-location=${join(folder, SCHEMA_FILE)}`;
    await spawn("kubeconform", ["-strict", location, "-"], { stdin: { string: yaml } });
    return [];
  } catch (cause) {
    if (cause instanceof SubprocessError && cause.stdout) {
      return cause.stdout.split("\n");
    }
    throw cause;
  } finally {
    await rm(folder, { recursive: true });
  }
};
