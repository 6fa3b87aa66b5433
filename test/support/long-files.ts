/**
 * Test files that take long for what they find beside the others: `npm run test:long` runs them, and `npm test` leaves them out. A
 * capability keeps at least one test of its whole way in `npm test`.
 */
export const LONG_FILES: readonly string[] = [
  // Every answer of ffmpeg replaced in turn. Hostile answers are in hostile-ffmpeg.
  'test/e2e/broken-ffmpeg.test.ts',
  // What people do with the console is in test:console.
  'test/e2e/console.test.ts',
  // Faults of a cluster, one of each. npm run soak:cluster injects more.
  'test/faults/cluster-soak.test.ts',
  // Other clients of MCP, and its conformance suite.
  'test/e2e/mcp-bridge.test.ts',
  'test/e2e/mcp-clients.test.ts',
  'test/e2e/mcp-conformance.test.ts',
  'test/e2e/mcp-tasks.test.ts',
  // Media that is damaged at random.
  'test/e2e/malformed-media.test.ts',
  // What is set up once: traces, folders and disks of their own, the package of the client.
  'test/e2e/client-package.test.ts',
  'test/e2e/data-disk.test.ts',
  'test/e2e/ordinary-user.test.ts',
  'test/e2e/removed-ffmpeg.test.ts',
  'test/e2e/second-service.test.ts',
  'test/e2e/traces.test.ts',
];
