import { defineConfig } from 'vitest/config';

/** Services and contract suites on PostgreSQL, which take minutes: `npm run test:engines`. */
export default defineConfig({
  test: {
    name: 'engines',
    include: ['test/engines/**/*.test.ts'],
    expect: { requireAssertions: true },
    isolate: false,
    maxWorkers: 4,
    globalSetup: [
      'test/support/global-setup.ts',
      'test/engines/global-setup.ts',
      'test/support/built-package.ts',
      'test/support/warm-catalogues.ts',
      'test/engines/complete-catalogues.ts',
    ],
    setupFiles: 'test/support/setup-file.ts',
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
