import { defineConfig } from "vitest/config";

// One browser after the other, and long patience: pictures are drawn by software where there is no graphics card.
export default defineConfig({
  test: {
    include: ["tests/e2e/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
