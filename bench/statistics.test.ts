import { expect, test } from "vitest";
import { median, quantile } from "./statistics.ts";

test("a quantile is one of the samples, by nearest rank", () => {
  const samples = [5, 1, 4, 2, 3];
  expect(median(samples)).toBe(3);
  expect(quantile(samples, 0.99)).toBe(5);
  expect(quantile(samples, 0)).toBe(1);
  expect(quantile([7], 0.5)).toBe(7);
  expect(quantile([], 0.5)).toBeNaN();
});
