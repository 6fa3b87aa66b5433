import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** What people do with the console, in Chromium, which take minutes: `npm run test:console`. */
export default defineConfig({
  test: {
    name: 'console',
    include: ['test/console/**/*.test.ts'],
    expect: { requireAssertions: true, poll: { timeout: 15_000 } },
    // Each process runs several files and loads their common imports once.
    isolate: false,
    // Pages wait for jobs and for each other, so run more than one per CPU.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    globalSetup: [
      'test/support/global-setup.ts',
      'test/support/install-chromium.ts',
      'test/support/built-package.ts',
      'test/support/warm-catalogues.ts',
    ],
    setupFiles: 'test/support/setup-file.ts',
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
