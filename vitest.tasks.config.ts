import { defineConfig } from 'vitest/config';

/** Ten tasks by MCP, by each SDK and the bridge, which take minutes: `npm run test:tasks`. */
export default defineConfig({
  test: {
    name: 'tasks',
    include: ['test/mcp-tasks/**/*.test.ts'],
    expect: { requireAssertions: true },
    globalSetup: ['test/support/global-setup.ts', 'test/support/built-package.ts', 'test/support/warm-catalogues.ts'],
    setupFiles: 'test/support/setup-file.ts',
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
