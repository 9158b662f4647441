import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{server,e2e,bench,scripts}/**/*.test.ts"],
          exclude: ["server/test/**", "e2e/tests/**"],
        },
      },
      {
        test: {
          name: "processes",
          include: ["server/test/**/*.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
