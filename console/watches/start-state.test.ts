import type { WatchDryRun } from '@telecine/client';
import { expect, test } from 'vitest';
import { startStateText } from './start-state.ts';

const run = (files: number, rejected = 0, examined = Math.min(files, 5)): WatchDryRun => ({
  ...{ files, examined, rejected, sizeBytes: 0 },
  ...{ examples: [], warnings: [] },
});
const checked = (found: WatchDryRun | undefined, error: Error | null = null, isOld = false) => ({
  run: found,
  error,
  isOld,
});
const IDLE = { isPending: false, error: null };

test.each([
  ['what is missing', 'Choose the folder first.', checked(undefined), IDLE, 'Choose the folder first.'],
  ['that the check runs', undefined, checked(run(1), null, true), IDLE, 'Checking…'],
  ['that no file is there', undefined, checked(run(0)), IDLE, 'Ready. It waits for files.'],
  ['one file', undefined, checked(run(1)), IDLE, 'Ready. 1 file now.'],
  ['many files', undefined, checked(run(1200)), IDLE, 'Ready. 1,200 files now.'],
  ['that some fail', undefined, checked(run(9, 2)), IDLE, 'Ready. 9 files now, of which some would be rejected.'],
  ['that all fail', undefined, checked(run(9, 5)), IDLE, '9 files now. All that were examined would be rejected.'],
  [
    'that the check failed',
    undefined,
    checked(undefined, new Error('x')),
    IDLE,
    'The watch cannot be made. See what it would do now.',
  ],
  ['that it is being made', undefined, checked(run(1)), { isPending: true, error: null }, 'Starting…'],
  [
    'that the service has rejected it',
    undefined,
    checked(run(1)),
    { isPending: false, error: new Error('x') },
    'The watch was not made. See the error.',
  ],
])('beside "Start watching" is said %s', (_what, missing, check, start, text) => {
  expect(startStateText(missing, check, start)).toBe(text);
});
