import { expect, test } from 'vitest';
import type { WatchedFileView } from '../wire/watch.ts';
import { dryRunText, failureGroups, rejectedText, watchActivity } from './watch-text.ts';

test.each([
  [0.2, '1 s'],
  [89, '89 s'],
  [90, '2 min'],
  [5399, '90 min'],
  [10_800, '3 h'],
  [12_600, '3.5 h'],
  [43_000, '12 h'],
  [216_000, '60 h'],
])('%d seconds are shown as %s', (seconds, time) => {
  expect(dryRunText({ files: 1, estimate: { seconds } })).toBe(`1 file would be converted, about ${time}.`);
});

test('a dry run says how many files, how long and how large', () => {
  const estimate = { seconds: 10_800, sizeBytes: 12e9 };
  expect(dryRunText({ files: 214, estimate })).toBe('214 files would be converted, about 3 h, 12 GB.');
  expect(dryRunText({ files: 1 })).toBe('1 file would be converted.');
  expect(dryRunText({ files: 0 })).toContain('No files would now be converted.');
});

test('a dry run that ignores the files that are there says so, and not that they would be converted', () => {
  expect(dryRunText({ files: 0, ignored: 214 })).toBe(
    'The 214 files there now would not be converted. Each file that lands in the folder later is converted.',
  );
  expect(dryRunText({ files: 0, ignored: 1 })).toMatch(/^The 1 file there now would not/);
  expect(dryRunText({ files: 0, ignored: 0 })).toMatch(/^No files would now be converted/);
});

test('a dry run says which part of the examined files would be rejected', () => {
  expect(rejectedText({ rejected: 0, examined: 5 })).toBeUndefined();
  expect(rejectedText({ rejected: 2, examined: 5 })).toBe('2 of the 5 examined files would be rejected.');
  expect(rejectedText({ rejected: 5, examined: 5 })).toBe('All of the 5 examined files would be rejected.');
});

const counts = { ready: 0, submitted: 0, converted: 3, failed: 0, needsAttention: 0, skipped: 0 };

test('a watch says first what keeps it from converting', () => {
  const watch = { state: 'ACTIVE', counts } as const;
  expect(watchActivity(watch)).toBe('watching');
  expect(watchActivity({ ...watch, counts: { ...counts, submitted: 1 } })).toBe('converting');
  expect(watchActivity({ ...watch, counts: { ...counts, failed: 1 } })).toBe('watching');
  expect(watchActivity({ ...watch, waitingFor: 'slots', counts: { ...counts, ready: 9 } })).toBe('converting');
  expect(watchActivity({ ...watch, waitingFor: 'quota' })).toBe('waiting for a quota');
  const unreachable = { ...watch, unreachableSince: '2026-01-31T12:00:00.000Z', waitingFor: 'quota' } as const;
  expect(watchActivity(unreachable)).toBe('folder unreachable');
  expect(watchActivity({ ...unreachable, stopped: { code: 'INSUFFICIENT_SCOPE', message: 'No.' } })).toBe('stopped');
  expect(watchActivity({ ...unreachable, state: 'PAUSED' })).toBe('paused');
});

const failed = (path: string, failure: NonNullable<WatchedFileView['failure']>): WatchedFileView => ({
  path,
  failure,
  sizeBytes: 1,
  state: 'NEEDS_ATTENTION',
  attempts: 1,
  seenAt: '2026-01-31T12:00:00.000Z',
  changedAt: '2026-01-31T12:00:00.000Z',
});

test('failures are grouped by code, the largest group first, with each fix once', () => {
  const invalid = (path: string) =>
    failed(path, { code: 'INPUT_INVALID', message: `"${path}" cannot be read.`, fix: 'Send another file.' });
  const rejected = failed('c.mov', {
    code: 'INVALID_REQUEST',
    message: 'The request has an error.',
    errors: [{ field: '/output', code: 'EXISTS', message: 'It exists.', fix: 'Send "y".' }],
  });
  const groups = failureGroups([rejected, ...['1', '2', '3', '4'].map(invalid)]);
  expect(groups.map(({ code, paths, messages, fixes }) => [code, paths.length, messages.length, fixes])).toEqual([
    ['INPUT_INVALID', 4, 3, ['Send another file.']],
    ['INVALID_REQUEST', 1, 1, ['Send "y".']],
  ]);
});
