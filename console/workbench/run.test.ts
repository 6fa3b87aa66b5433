import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { EMPTY_DRAFT } from './draft.ts';
import { pathsWrittenBy, progressOf } from './run.ts';

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
