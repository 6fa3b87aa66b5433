import { defineConfig } from 'vitest/config';

/** The examples of ffmpeg's manual, which take minutes: `npm run test:manual`. */
export default defineConfig({
  test: {
    name: 'manual',
    include: ['test/manual/**/*.test.ts'],
    expect: { requireAssertions: true },
    globalSetup: ['test/support/global-setup.ts', 'test/manual/global-setup.ts'],
    setupFiles: 'test/support/setup-file.ts',
    testTimeout: 3_600_000,
  },
});
