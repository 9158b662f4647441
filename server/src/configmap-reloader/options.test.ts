import { describe, expect, test } from "vitest";
import { parseOptions } from "./options.ts";
import { ANNOTATION, NAMES, readOptions } from "./testing.ts";

describe("the options of a ConfigMap", () => {
  test("are the safe ones by default", () => {
    expect(readOptions()).toEqual({
      selector: [{ key: "app", operator: "in", values: ["web"] }],
      selectorText: "app=web",
      maxUnavailable: 1,
      debounceSeconds: 0,
      dryRun: false,
    });
  });

  test("are read from annotations beside the selector's", () => {
    const options = readOptions({
      [`${ANNOTATION}.keys`]: "b.conf, a",
      [`${ANNOTATION}.maxUnavailable`]: "25",
      [`${ANNOTATION}.debounce`]: "5m",
      [`${ANNOTATION}.dryRun`]: "true",
      [`${ANNOTATION}.seen`]: "whatever",
      "magalix.com/other": "whatever",
    });
    expect(options).toMatchObject({
      keys: ["a", "b.conf"],
      maxUnavailable: 25,
      debounceSeconds: 300,
      dryRun: true,
    });
  });

  test.each([
    ["", "", `${ANNOTATION} is empty`],
    ["", "  ", `${ANNOTATION} is empty`],
    ["", "app in (web", `${ANNOTATION} "app in (web" is no requirement`],
    [".keys", "", `${ANNOTATION}.keys has ""`],
    [".keys", "a,b c", `${ANNOTATION}.keys has "b c"`],
    [".maxUnavailable", "0", `${ANNOTATION}.maxUnavailable is "0"`],
    [".maxUnavailable", "-1", `${ANNOTATION}.maxUnavailable is "-1"`],
    [".maxUnavailable", "25%", `${ANNOTATION}.maxUnavailable is "25%"`],
    [".debounce", "30", `${ANNOTATION}.debounce is "30"`],
    [".debounce", "1d", `${ANNOTATION}.debounce is "1d"`],
    [".dryRun", "yes", `${ANNOTATION}.dryRun is "yes"`],
    [".dryrun", "true", `${ANNOTATION}.dryrun is no option`],
  ])("are refused for %s of %j", (option, value, problem) => {
    const parsed = parseOptions({ [ANNOTATION]: "app=web", [ANNOTATION + option]: value }, NAMES);
    expect(parsed).toEqual({ problems: [expect.stringContaining(problem)] });
  });

  test("are refused with everything that is wrong at once", () => {
    const parsed = parseOptions({ [ANNOTATION]: "", [`${ANNOTATION}.dryRun`]: "" }, NAMES);
    expect(parsed).toMatchObject({ problems: { length: 2 } });
  });
});
