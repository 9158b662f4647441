import { describe, expect, it } from "vitest";
import { generatedFiles, staleFiles } from "./generate-files.ts";
import { readValues, valuesTable } from "./generate-values.ts";
import { kinds } from "./kinds.ts";

describe("a generated file", () => {
  it("is what `npm run generate` would make now", async () => {
    expect(await staleFiles()).toEqual([]);
  });

  it("has no braces that Helm would take for its own, but in the template's frame", async () => {
    const templates = [...(await generatedFiles())].filter(([path]) =>
      path.includes("/templates/"),
    );
    expect(templates).toHaveLength(kinds.length);
    for (const [, text] of templates) {
      const schema = text.slice(text.indexOf("spec:"), text.lastIndexOf("{{"));
      expect(schema).not.toContain("{{");
    }
  });
});

describe("the values of a chart", () => {
  it("are read with their comments, as far down as there are any", () => {
    const yaml =
      "# First,\n# in two lines.\na: 1\n\nb:\n  # Second.\n  c: {d: [x]}\n  # Third.\n  e: ''\n";
    expect(readValues(yaml)).toEqual([
      { path: "a", description: "First, in two lines.", default: "1" },
      { path: "b.c", description: "Second.", default: '{"d":["x"]}' },
      { path: "b.e", description: "Third.", default: '""' },
    ]);
  });

  it("must each have a comment", () => {
    expect(() => readValues("# Fine.\na: 1\nb:\n  c: 2\n")).toThrow("b.c has no comment");
  });

  it("make a table that a bar does not break", () => {
    const table = valuesTable([{ path: "a", description: "x or |", default: '"|"' }]);
    expect(table.split("\n").at(-1)).toBe('| `a` | `"\\|"` | x or \\| |');
  });
});
