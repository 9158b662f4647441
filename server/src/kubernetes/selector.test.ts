import { describe, expect, test } from "vitest";
import { matches, parseSelector } from "./selector.ts";

const labels = { app: "frontend", tier: "web", "example.com/size": "12", empty: "" };

describe("a label selector", () => {
  test.each([
    ["app=frontend", true],
    ["app==frontend", true],
    [" app = frontend ", true],
    ["app=backend", false],
    ["none=frontend", false],
    ["app!=backend", true],
    ["app!=frontend", false],
    ["none!=backend", true],
    ["app in (backend, frontend)", true],
    ["app in(backend)", false],
    ["app notin (backend,frontend)", false],
    ["app notin (backend)", true],
    ["none notin (a)", true],
    ["app", true],
    ["none", false],
    ["!none", true],
    ["! app", false],
    ["empty=", true],
    ["app=", false],
    ["empty in (,a)", true],
    ["example.com/size>11", true],
    ["example.com/size > 12", false],
    ["example.com/size<13", true],
    ["app>1", false],
    ["none<1", false],
    ["app=frontend,tier=web", true],
    ["app=frontend, tier in (web, api), !none", true],
    ["app=frontend,tier=api", false],
  ])("%s is met by the labels: %s", (text, isMet) => {
    expect(matches(parseSelector(text), labels)).toBe(isMet);
  });

  test.each([
    ["", "is empty"],
    ["  ", "is empty"],
    [",", '"" is no requirement'],
    ["app=frontend,", '"" is no requirement'],
    ["=frontend", '"=frontend" is no requirement'],
    ["app=a=b", '"app=a=b" is no requirement'],
    ["app = a b", '"app = a b" is no requirement'],
    ["app in frontend", '"app in frontend" is no requirement'],
    ["app in (a", "is no requirement"],
    ["app in (a))", "is no requirement"],
    ["!", '"!" is no requirement'],
    ["*", '"*" in "*" cannot be the key of a label'],
    ["-app=a", '"-app" in "-app=a" cannot be the key'],
    ["a/b/c=d", '"a/b/c" in "a/b/c=d" cannot be the key'],
    ["app=*", '"*" in "app=*" cannot be the value'],
    ["app=a_", '"a_" in "app=a_" cannot be the value'],
    [`app=${"a".repeat(64)}`, "cannot be the value"],
    ["app in (a, b c)", '"b c" in "app in (a, b c)" cannot be the value'],
    ["app>many", '"many" in "app>many" is no whole number'],
  ])("%j is refused: %s", (text, message) => {
    expect(() => parseSelector(text)).toThrow(message);
  });
});
