import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { EMPTY_DRAFT, isUnchanged } from './draft.ts';
import { pathsWrittenBy, progressOf, takesLong, withEarlierRun, withJobReplaced } from './run.ts';

const job = (status: Job['status'], output: string) => ({ status, output }) as Job;

const runOf = (...ended: readonly Job[]) => ({
  draft: EMPTY_DRAFT,
  jobIds: ['a', 'b'],
  ended: new Map(ended.map((one, i) => [['a', 'b'][i] ?? '', one])),
});

test('a run is complete when all of its jobs are', () => {
  expect(progressOf(runOf())).toBe('running');
  expect(progressOf(runOf(job('COMPLETED', '1.mp4')))).toBe('running');
  expect(progressOf(runOf(job('COMPLETED', '1.mp4'), job('COMPLETED', '2.mp4')))).toBe('completed');
  expect(progressOf(runOf(job('COMPLETED', '1.mp4'), job('CANCELLED', '2.mp4')))).toBe('failed');
});

test('the names of a failed job are free', () => {
  const several = {
    status: 'COMPLETED',
    requestedOutputs: [{ output: 'a.mp4' }, { output: 'b.jpg' }],
  } as unknown as Job;
  expect(pathsWrittenBy([job('FAILED', 'x.mp4'), job('COMPLETED', 'y.mp4'), several])).toEqual([
    'y.mp4',
    'a.mp4',
    'b.jpg',
  ]);
});

test('a failed job that runs again with a fix takes the place of the old one', () => {
  const failed = runOf(job('FAILED', '1.mp4'), job('COMPLETED', '2.mp4'));
  const mended = withJobReplaced(failed, 'a', 'c');
  expect(mended.jobIds).toEqual(['c', 'b']);
  expect(mended.fixedIds).toEqual(['c']);
  expect(progressOf(mended)).toBe('running');
  // The reply came after the user had started something else.
  expect(withJobReplaced(mended, 'a', 'd')).toBe(mended);
  const ended = new Map([...mended.ended, ['c', job('COMPLETED', '1.mp4')] as const]);
  expect(progressOf({ ...mended, ended })).toBe('completed');
});

test('closing the note about a failed job changes nothing that would be sent', () => {
  const draft = { ...EMPTY_DRAFT, mends: { jobId: 'j', message: 'It failed.' } };
  expect(isUnchanged(draft, { ...EMPTY_DRAFT })).toBe(true);
  expect(isUnchanged(draft, { ...draft, rows: [] })).toBe(false);
  expect(isUnchanged(draft, { ...draft, combination: 'each' })).toBe(false);
});

test('many short jobs take long together', () => {
  expect(takesLong({ status: 'PROCESSING', etaSeconds: 25 })).toBe(false);
  expect(takesLong({ status: 'PROCESSING', etaSeconds: 25 }, 3)).toBe(true);
  expect(takesLong({ status: 'COMPLETED', etaSeconds: 100 })).toBe(false);
});

test('the results of earlier runs stay, the newest first and not for ever', () => {
  const half = runOf(job('COMPLETED', '1.mp4'), job('FAILED', '2.mp4'));
  expect(withEarlierRun([], undefined)).toEqual([]);
  expect(withEarlierRun(['z'], half)).toEqual(['a', 'z']);
  // A job that still runs can have a result later.
  expect(withEarlierRun([], runOf())).toEqual(['b', 'a']);
  expect(withEarlierRun(['1', '2', '3', '4', '5'], half)).toEqual(['a', '1', '2', '3', '4']);
});
