import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { crdTemplate } from "./generate-crd.ts";
import { readValues, withValuesTable } from "./generate-values.ts";
import { operatorValues, valuesSchema } from "./generate-values-schema.ts";
import { kinds } from "./kinds.ts";

const ROOT = join(import.meta.dirname, "..");
const OPERATOR_CHART = "charts/python-lambda-operator";

const read = (path: string): Promise<string> => readFile(join(ROOT, path), "utf8");

/** Every file that is made from others, as its path in the project and the text that it should have. */
export const generatedFiles = async (): Promise<Map<string, string>> => {
  const values = readValues(await read(`${OPERATOR_CHART}/values.yaml`));
  const readme = await read(`${OPERATOR_CHART}/README.md`);
  const schema = valuesSchema(operatorValues, values);
  return new Map([
    ...kinds.map(
      (kind) => [`${OPERATOR_CHART}/templates/${kind.folder}-crd.yaml`, crdTemplate(kind)] as const,
    ),
    [`${OPERATOR_CHART}/values.schema.json`, `${JSON.stringify(schema, null, 2)}\n`],
    [`${OPERATOR_CHART}/README.md`, withValuesTable(readme, values)],
  ]);
};

/** The paths of those files whose text is another, or that are not there. */
export const staleFiles = async (): Promise<string[]> => {
  const files = [...(await generatedFiles())];
  const texts = await Promise.all(files.map(([path]) => read(path).catch(() => undefined)));
  return files.filter(([, text], index) => texts[index] !== text).map(([path]) => path);
};
