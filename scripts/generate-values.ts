import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from "yaml";

/** One value of a chart, as its values.yaml tells it. */
export interface ChartValue {
  /** Where it is, such as `ingress.tls`. */
  path: string;
  description: string;
  /** The default as JSON. */
  default: string;
}

/**
 * The values of a values.yaml, in its order: every key with a comment is one, and its comment describes it. A key with no
 * comment only groups others.
 * @throws when a key has neither a comment nor keys in it.
 */
export const readValues = (text: string): ChartValue[] => {
  const document = parseDocument(text);
  if (!isMap(document.contents)) {
    throw new Error("values.yaml must be a map");
  }
  const { contents } = document;
  contents.commentBefore ??= document.commentBefore ?? null;
  return valuesIn(contents, []);
};

const valuesIn = (map: YAMLMap, parents: string[]): ChartValue[] =>
  (map.items as Pair[]).flatMap((pair, index) => {
    const { key, value } = pair;
    if (!isScalar(key)) {
      throw new Error(`values.yaml: ${parents.join(".")} has a key that is no text`);
    }
    const path = [...parents, String(key.value)];
    // The parser gives the comment above the first key to the map.
    const comment = key.commentBefore ?? (index === 0 ? map.commentBefore : undefined);
    if (comment) {
      const description = comment.replaceAll(/\s*\n\s*/g, " ").trim();
      const json = JSON.stringify(isMap(value) || !isScalar(value) ? toJson(value) : value.value);
      return [{ path: path.join("."), description, default: json }];
    }
    if (!isMap(value)) {
      throw new Error(`values.yaml: ${path.join(".")} has no comment that says what it is`);
    }
    return valuesIn(value, path);
  });

const toJson = (node: unknown): unknown => (node as { toJSON: () => unknown }).toJSON();

/** The values as a Markdown table. */
export const valuesTable = (values: readonly ChartValue[]): string =>
  [
    "| Value | Default | What it is |",
    "| --- | --- | --- |",
    ...values.map(
      ({ path, description, default: json }) =>
        `| \`${path}\` | \`${json.replaceAll("|", "\\|")}\` | ${description.replaceAll("|", "\\|")} |`,
    ),
  ].join("\n");

const BEGIN = "<!-- values: made by `npm run generate` from values.yaml -->";
const END = "<!-- /values -->";

/**
 * A README with its table of values made anew.
 * @throws when it has no place for one.
 */
export const withValuesTable = (readme: string, values: readonly ChartValue[]): string => {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) {
    throw new Error(`the README has no "${BEGIN}" followed by "${END}"`);
  }
  return `${readme.slice(0, begin + BEGIN.length)}\n${valuesTable(values)}\n${readme.slice(end)}`;
};
