/** Whether the run is for what depends on the programs of the system. The rest runs on another system. */
export const IS_SYSTEM_ONLY = process.env['TELECINE_TEST_SYSTEM_ONLY'] === '1';

/**
 * The test files that find the same on each system, whatever its ffmpeg, bubblewrap, util-linux and fonts are: pure logic with recorded
 * catalogues, counts of work, and tests of HTTP, MCP, the command line, files, accounts and the database, to which a conversion is only
 * a job. `npm run test:debian13 -- --system-only` leaves them out. A file that is not named here runs.
 */
export const SAME_ON_EACH_SYSTEM: readonly string[] = [
  '{packages,console}/**/*.test.ts',
  'test/*.test.ts',
  'test/{unit,growth,budgets,image}/**/*.test.ts',
  ...[
    'http-!(capabilities)',
    'client*',
    'media-*',
    'store-*',
    'upload-*',
    'watch*',
    'worker-*',
    ...['cancel-in-line', 'chunk-files', 'console-build', 'contracts', 'convert-script', 'end-with-tests'],
    ...['external-sign-in', 'files-local', 'hand-over', 'host-lookup', 'idempotency-window', 'issuer-keys'],
    ...['job-retention', 'light-jobs', 'mcp-bridge', 'monitoring', 'oauth', 'open-service', 'outgoing'],
    ...['output-expiry', 'package', 'plan-thread', 'pool-calls', 'release', 'sign-in-link', 'terminal-log'],
    ...['webhook-sender', 'zips'],
  ].map((name) => `test/integration/${name}.test.ts`),
  ...[
    'backup*',
    'client-*',
    'mcp-{bridge,clients,conformance,resources,several-jobs,tasks,tokens}',
    'upload*',
    ...['access', 'admin-secret', 'audit', 'bad-bodies', 'batches', 'cli', 'clock', 'console', 'convert-many'],
    ...['each-file', 'events', 'examples', 'existing-outputs', 'files', 'files-command', 'jobs', 'large-requests'],
    ...['links', 'metrics', 'oauth', 'operators-log', 'own-folders', 'queue', 'quotas', 'release-data'],
    ...['resumable-uploads', 'revoked-jobs', 'second-service', 'shares', 'slow-servers', 'tokens', 'traces'],
    ...['queued-events', 'user-cache', 'watch*', 'webhooks'],
  ].map((name) => `test/e2e/${name}.test.ts`),
  ...['accepted', 'after', 'cluster-soak', 'expired-outputs', 'failpoints', 'soak', 'watches*', 'webhooks'].map(
    (name) => `test/faults/${name}.test.ts`,
  ),
];
