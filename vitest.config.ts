import { defineConfig } from 'vitest/config';

/** Unit, property and component tests: everything below test/ save what needs a VS Code (host/) or a Kubernetes (cluster/, conformance/). */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/host/**', 'test/cluster/**', 'test/conformance/**', 'node_modules/**'],
    testTimeout: 30_000,
    // What is waited for comes in its own time on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    pool: 'threads',
  },
});
