import { defineConfig } from "vitest/config";

const MINUTE_MS = 60_000;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{server,e2e,bench,scripts}/**/*.test.ts"],
          exclude: ["server/test/**", "e2e/chart/**", "e2e/tests/**"],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "charts",
          include: ["e2e/chart/**/*.test.ts"],
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "processes",
          include: ["server/test/**/*.test.ts"],
          testTimeout: MINUTE_MS,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/tests/**/*.test.ts"],
          globalSetup: "e2e/global-setup.ts",
          testTimeout: 3 * MINUTE_MS,
          hookTimeout: MINUTE_MS,
          fileParallelism: false,
          maxConcurrency: 4,
          // A busy node with cgroup v1 now and then fails to start a container. What went wrong is printed all the same.
          retry: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
