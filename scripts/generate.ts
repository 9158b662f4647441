/**
 * Makes the files that are made from others: the chart's CustomResourceDefinitions, the schema of its values and the table of
 * them in its README.
 *
 *     node scripts/generate.ts           writes them
 *     node scripts/generate.ts --check   exits 1 and names those that are stale
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { generatedFiles, staleFiles } from "./generate-files.ts";

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });

if (values.check) {
  for (const path of await staleFiles()) {
    process.stderr.write(`${path} is stale: run \`npm run generate\`\n`);
    process.exitCode = 1;
  }
} else {
  for (const [path, text] of await generatedFiles()) {
    await writeFile(join(import.meta.dirname, "..", path), text);
  }
}
