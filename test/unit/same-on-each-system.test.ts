import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { SAME_ON_EACH_SYSTEM } from '../support/same-on-each-system.ts';

const TREE = resolve(import.meta.dirname, '../..');

test('each pattern matches a test file', () => {
  const unknown = SAME_ON_EACH_SYSTEM.filter(
    (pattern) => globSync(pattern, { cwd: TREE, exclude: ['**/node_modules'] }).length === 0,
  );
  expect(unknown).toEqual([]);
});

test('what runs ffmpeg, probes or the sandbox is tested on each system', () => {
  const left = new Set(globSync([...SAME_ON_EACH_SYSTEM], { cwd: TREE, exclude: ['**/node_modules'] }));
  for (const path of [
    ...['sandbox', 'seccomp', 'run', 'probe', 'hostile', 'http-capabilities'].map((name) => `integration/${name}`),
    ...['failures', 'run-warnings', 'common-requests', 'policy', 'hostile-ffmpeg'].map((name) => `e2e/${name}`),
    'faults/crash-reaper',
  ])
    expect([path, left.has(`test/${path}.test.ts`)]).toEqual([path, false]);
});
