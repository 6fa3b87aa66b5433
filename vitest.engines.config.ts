import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { TAGS } from './test/support/tags.ts';

const all = {
  tags: TAGS,
  expect: { requireAssertions: true, poll: { timeout: 15_000 } },
  isolate: false,
  maxWorkers: 4,
  globalSetup: [
    'test/support/global-setup.ts',
    'test/engines/global-setup.ts',
    'test/support/built-package.ts',
    'test/support/warm-catalogues.ts',
  ],
  setupFiles: 'test/support/setup-file.ts',
  testTimeout: 120_000,
  hookTimeout: 60_000,
};
const e2e = { ...all, globalSetup: [...all.globalSetup, 'test/engines/shared-postgres.ts'] };
const allRows = { TELECINE_TEST_ROWS: 'all' };

/** Tests of services on each engine. */
const filesOf = (...names: readonly string[]): string[] => names.map((name) => `test/e2e/${name}.test.ts`);

/** Each pair of engines finds files in another way, and stores in another way what it knows of them. */
const WATCHES = ['watch-copies', 'watch-crashes', 'watch-lives'] as const;

/** Services and contract suites on PostgreSQL and S3, which take minutes: `npm run test:engines`. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...all,
          env: allRows,
          name: 'engines',
          include: ['test/engines/**/*.test.ts', 'test/e2e/release-data.test.ts'],
        },
      },
      {
        // What users do, and the common requests, on the other engines than `npm test` has.
        test: {
          ...e2e,
          env: allRows,
          name: 'postgres-s3',
          provide: { engines: { database: 'postgres', storage: 's3' } },
          include: [
            ...filesOf(
              ...[
                'common-requests',
                'conversions',
                'jobs',
                'files',
                'links',
                'uploads',
                'probe',
                'previews',
                'existing-outputs',
              ],
              'resumable-uploads',
              'large-uploads',
              'upload-links',
              'folder-links',
              ...[
                'many-files',
                'long-paths',
                'several-outputs',
                'endings',
                'warnings',
                'events',
                'queued-events',
                'after',
                'batches',
                'input-urls',
                'slow-servers',
                'slow-sources',
                'webhooks',
              ],
              ...WATCHES,
            ),
            'test/engines/other-buckets.test.ts',
          ],
        },
      },
      // Each engine has all rows above or in `npm run test:rows`. These two show how one of them works with the other of the pair.
      {
        test: {
          ...e2e,
          name: 'sqlite-s3',
          provide: { engines: { database: 'sqlite', storage: 's3' } },
          include: filesOf('conversions', 'jobs', 'existing-outputs', 'many-files', 'resumable-uploads', ...WATCHES),
        },
      },
      {
        test: {
          ...e2e,
          name: 'postgres-disk',
          provide: { engines: { database: 'postgres', storage: 'disk' } },
          include: filesOf(
            'conversions',
            'jobs',
            'existing-outputs',
            'many-files',
            'resumable-uploads',
            'quotas',
            'long-paths',
            ...WATCHES,
          ),
        },
      },
    ],
  },
});
