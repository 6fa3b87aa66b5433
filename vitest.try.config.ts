import { defineConfig } from 'vitest/config';
export default defineConfig({ test: { include: ['test/integration/chunk*.test.ts'], setupFiles: ['test/support/processor-time.ts', 'test/support/real-timers.ts'], tags: (await import('./test/support/tags.ts')).TAGS, maxWorkers: 1, isolate: false, testTimeout: 120000, globalSetup: ['test/support/global-setup.ts'] } });
