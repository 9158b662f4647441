import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { annotationName, annotationNames } from "./names.ts";

describe("the annotation's name", () => {
  test.each(["magalix.com/podDeleteMatch", "example.com/r", `a.b/${"x".repeat(48)}`])(
    "may be %s",
    (name) => {
      expect(v.is(annotationName, name)).toBe(true);
    },
  );

  test.each(["podDeleteMatch", "/a", "a/", "a/b/c", "A.com/b", `a.b/${"x".repeat(49)}`, "a/b c"])(
    "may not be %s",
    (name) => {
      expect(v.is(annotationName, name)).toBe(false);
    },
  );
});

describe("the name of a pod's record", () => {
  const names = annotationNames("magalix.com/podDeleteMatch");

  test("has the ConfigMap's name in it", async () => {
    expect(await names.record("app.config")).toBe("configmap.magalix.com/app.config");
  });

  test("is as long as an annotation's may be for the longest, and another for each", async () => {
    const long = "x".repeat(252);
    const [one, two] = [await names.record(`${long}1`), await names.record(`${long}2`)];
    expect(one.split("/")[1]).toHaveLength(63);
    expect(one).not.toBe(two);
  });
});
