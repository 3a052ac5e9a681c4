import { defineConfig } from 'vitest/config';

/** What needs a real Kubernetes: `npm run test:cluster`, which builds it first where the cache lacks it. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/cluster/**/*.test.ts', 'test/conformance/**/*.test.ts'],
    globalSetup: ['test/cluster/setup.ts'],
    // Most of the time is waiting for controllers and leases; each test has namespaces of its own.
    maxWorkers: 3,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
