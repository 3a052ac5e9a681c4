import { defineConfig } from 'vitest/config';

/** What needs a real Kubernetes: `npm run test:cluster`, which builds it first where the cache lacks it. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/cluster/**/*.test.ts', 'test/conformance/**/*.test.ts'],
    globalSetup: ['test/cluster/setup.ts'],
    // Two cores carry two clusters already; the files take turns.
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
