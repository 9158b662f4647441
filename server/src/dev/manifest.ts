import * as v from "valibot";
import { type Document, isNode, LineCounter, parseAllDocuments } from "yaml";
import { toMessage } from "../issues.ts";
import { PYTHON_LAMBDA_KIND, pythonLambda, pythonLambdaSpec } from "../python-lambda/schema.ts";
import type { Problem } from "./problem.ts";

/** A lambda that a file asks for. */
export interface LocalLambda {
  name: string;
  host: string;
  code: string;
  file: string;
  line: number;
}

export interface Manifest {
  lambdas: LocalLambda[];
  problems: Problem[];
}

/** The host of lambdas that give none, as in the chart's values. */
const DEFAULT_HOST = "localhost";

/** As `kubectl apply` does, this takes a field that nobody knows for a mistake. */
const localLambda = v.object({
  ...pythonLambda.entries,
  spec: v.strictObject(pythonLambdaSpec.entries),
});

/** Reads the PythonLambdas of a YAML file with any number of documents. Objects of other kinds are passed over. */
export const parseManifest = (file: string, text: string): Manifest => {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  const position = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const manifests = [...documents].map((document): Manifest => {
    const [error] = document.errors;
    if (error) {
      return {
        lambdas: [],
        problems: [{ file, ...position(error.pos[0]), message: error.message }],
      };
    }
    return readDocument(file, document, position);
  });
  return {
    lambdas: manifests.flatMap(({ lambdas }) => lambdas),
    problems: manifests.flatMap(({ problems }) => problems),
  };
};

const readDocument = (
  file: string,
  document: Document,
  position: (offset: number) => { line: number; column: number },
): Manifest => {
  const object = document.toJS();
  if (object?.kind !== PYTHON_LAMBDA_KIND) {
    return { lambdas: [], problems: [] };
  }
  const read = v.safeParse(localLambda, object);
  if (!read.success) {
    const problems = read.issues.map((issue): Problem => {
      const path = issue.path?.map(({ key }) => key) ?? [];
      const message = `${path.join(".")} ${toMessage(issue)}`;
      return { file, ...position(offsetOf(document, path)), message };
    });
    return { lambdas: [], problems };
  }
  const { metadata, spec } = read.output;
  const { line } = position(offsetOf(document, []));
  const host = spec.host ?? DEFAULT_HOST;
  return { lambdas: [{ name: metadata.name, host, code: spec.code, file, line }], problems: [] };
};

/** Where the value at a path begins in the text; where it is missing, the nearest thing around it. */
const offsetOf = (document: Document, path: readonly unknown[]): number => {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isNode(node) && node.range) {
    return node.range[0];
  }
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
};
