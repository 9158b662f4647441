import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../toolchain/spawn.ts";
import { SCHEMA_FILE, toSchemas } from "./openapi.ts";

/**
 * Checks rendered objects by kubeconform -strict against the schemas of a cluster in which their kinds are known.
 * @param yaml what `helm template` printed.
 * @returns how many objects were checked.
 * @throws with a line for each object that is wrong, or whose kind the cluster does not know.
 */
export const checkConformance = async (kubeconfigPath: string, yaml: string): Promise<number> => {
  const get = [`--kubeconfig=${kubeconfigPath}`, "get", "--raw=/openapi/v2"];
  const openapi = JSON.parse(await run("kubectl", get));
  const folder = await mkdtemp(join(tmpdir(), "python-lambda-schemas-"));
  try {
    for (const [name, schema] of toSchemas(openapi)) {
      await writeFile(join(folder, name), JSON.stringify(schema));
    }
    const flags = ["-strict", "-output=json", "-summary"];
    const location = `-schema-location=${join(folder, SCHEMA_FILE)}`;
    const said = await run("kubeconform", [...flags, location, "-"], { stdin: { string: yaml } });
    return JSON.parse(said).summary.valid;
  } finally {
    await rm(folder, { recursive: true });
  }
};
