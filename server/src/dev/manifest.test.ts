import { describe, expect, test } from "vitest";
import { combine, keepLastGood } from "./lambdas.ts";
import { parseManifest } from "./manifest.ts";
import { problemLine } from "./problem.ts";

const document = (name: string, spec: string) =>
  `apiVersion: example.com/v1\nkind: PythonLambda\nmetadata:\n  name: ${name}\nspec:\n${spec}`;

const problemsOf = (text: string) => parseManifest("a.yaml", text).problems.map(problemLine);

describe("a YAML file", () => {
  test("gives the lambdas of all its documents, with where they stand, and passes other kinds over", () => {
    const text = [
      document("one", "  code: a = 1\n"),
      "kind: Secret\n",
      "# nothing\n",
      document("two", "  host: two.org\n  replicas: 3\n  code: |\n    a\n    b\n"),
    ].join("---\n");
    expect(parseManifest("a.yaml", text)).toEqual({
      lambdas: [
        { name: "one", host: "localhost", code: "a = 1", file: "a.yaml", line: 1 },
        { name: "two", host: "two.org", code: "a\nb\n", file: "a.yaml", line: 12 },
      ],
      problems: [],
    });
  });

  test.each([
    ["that does not parse", "a: 1\nb: [1\n", "a.yaml:3:1: "],
    [
      "with bad replicas",
      document("a", "  code: a\n  replicas: 2.5\n"),
      "a.yaml:7:13: spec.replicas must be a whole number",
    ],
    [
      "with a bad host",
      document("a", "  code: a\n  host: a_b\n"),
      "a.yaml:7:9: spec.host must be a host name",
    ],
    ["with no code", document("a", "  replicas: 1\n"), "a.yaml:6:3: spec.code is missing"],
    [
      "with a field that nobody knows",
      document("a", "  code: a\n  replica: 1\n"),
      "a.yaml:7:12: spec.replica is not a field here",
    ],
    [
      "with no spec",
      "apiVersion: example.com/v1\nkind: PythonLambda\nmetadata: {name: a}\n",
      "a.yaml:1:1: spec is missing",
    ],
    [
      "with another version",
      document("a", "  code: a\n").replace("v1", "v2"),
      'a.yaml:1:13: apiVersion must be "example.com/v1", not "example.com/v2"',
    ],
    [
      "with a NUL in the code",
      document("a", '  code: "a\\0"\n'),
      "a.yaml:6:9: spec.code must have no NUL character",
    ],
  ])("%s is told by line and column", (_, text, start) => {
    const [problem, ...more] = problemsOf(text);
    expect(problem?.slice(0, start.length)).toBe(start);
    expect(problem).not.toContain("\n");
    expect(more).toEqual([]);
  });

  test("with one bad document still gives the good ones", () => {
    const text = `${document("bad", "  code: 1\n")}---\n${document("good", "  code: a\n")}`;
    const { lambdas, problems } = parseManifest("a.yaml", text);
    expect(lambdas.map(({ name }) => name)).toEqual(["good"]);
    expect(problems).toHaveLength(1);
  });

  test.each(["\r\n", "\t", "\ufeff", "%s", '"""', "$(X)", "{{ }}", "😀"])(
    "keeps %j in code",
    (part) => {
      const text = document("a", `  code: ${JSON.stringify(`a${part}b`)}\n`);
      expect(parseManifest("a.yaml", text).lambdas[0]?.code).toBe(`a${part}b`);
    },
  );
});

describe("lambdas of several files", () => {
  const one = parseManifest("1.yaml", document("one", "  code: a\n"));
  const rival = parseManifest("2.yaml", document("two", "  code: b\n"));
  const twin = parseManifest("3.yaml", document("one", "  code: c\n  host: c.org\n"));

  test("on one host: the first is served, and the problem names both", () => {
    const { lambdas, problems } = combine([one, rival]);
    expect(lambdas).toEqual(one.lambdas);
    expect(problems.map(problemLine)).toEqual([
      "2.yaml:1: lambda two has the host localhost, which lambda one at 1.yaml:1 has already; give it a spec.host of its own",
    ]);
  });

  test("of one name: the first is served, and the problem names both places", () => {
    const { lambdas, problems } = combine([one, twin]);
    expect(lambdas).toEqual(one.lambdas);
    expect(problems.map(problemLine)).toEqual([
      "3.yaml:1: there is a lambda one at 1.yaml:1 already; give this one another name",
    ]);
  });

  test("whose file breaks stay as they were, those whose file is gone from a folder do not", () => {
    const broken = { lambdas: [], problems: [{ file: "1.yaml", message: "broken" }] };
    expect(keepLastGood(broken, [...one.lambdas, ...rival.lambdas])).toEqual(one.lambdas);
  });

  test("whose file breaks make way for a new lambda of their host", () => {
    const broken = { lambdas: rival.lambdas, problems: [{ file: "1.yaml", message: "broken" }] };
    expect(keepLastGood(broken, one.lambdas)).toEqual(rival.lambdas);
  });
});
