import type { Job, LiveEvent } from '@telecine/client';
import { expect, test } from 'vitest';
import { LiveJobs } from './live-jobs-state.ts';

const event = (type: string, jobId: string, status: Job['status'] = 'PENDING') =>
  ({ type, data: { jobId, status } }) as unknown as LiveEvent;
const plain = (type: 'ready' | 'reset'): LiveEvent => ({ type, data: {} }) as LiveEvent;

/** A `LiveJobs` that reports changes of lists only when the test runs the scheduled functions. */
function harness() {
  const scheduled: (() => void)[] = [];
  const live = new LiveJobs((run) => scheduled.push(run));
  const told = { lists: 0 };
  live.apply(plain('ready'));
  live.watchList(() => {
    told.lists += 1;
  });
  const tell = (): number => {
    const before = told.lists;
    for (const run of scheduled.splice(0)) run();
    return told.lists - before;
  };
  return { live, tell };
}

test('a list is told of each job that comes, starts, ends or is deleted, but not of its progress', () => {
  const { live, tell } = harness();
  live.apply(event('created', '1'));
  expect(tell()).toBe(1);
  live.apply(event('status', '1', 'PROCESSING'));
  expect(tell()).toBe(1);
  live.apply(event('progress', '1', 'PROCESSING'));
  expect(tell()).toBe(0);
  live.apply(event('ended', '1', 'COMPLETED'));
  expect(tell()).toBe(1);
  live.apply({ type: 'deleted', data: { jobId: '1' } } as LiveEvent);
  expect(tell()).toBe(1);
  expect([live.get('1'), live.isDeleted('1'), live.jobs()]).toEqual([undefined, true, []]);
});

test('many changes at the same time are told once', () => {
  const { live, tell } = harness();
  for (let count = 0; count < 100; count++) live.apply(event('created', `${count}`));
  expect(tell()).toBe(1);
  expect(live.jobs()).toHaveLength(100);
});

test('what the lists have read again is forgotten, except what has changed since', () => {
  const { live, tell } = harness();
  for (const jobId of ['1', '2', '3']) live.apply(event('created', jobId));
  live.apply({ type: 'deleted', data: { jobId: '3' } } as LiveEvent);
  const read = live.changes;
  live.apply(event('status', '1', 'PROCESSING'));
  const changed: string[] = [];
  for (const jobId of ['1', '2']) live.watch(jobId, () => changed.push(jobId));
  tell();
  live.forget(read);
  expect(live.jobs().map(({ jobId }) => jobId)).toEqual(['1']);
  expect([live.size, live.isDeleted('3')]).toEqual([1, false]);
  expect(changed).toEqual(['2']);
  expect(tell()).toBe(1);
});

test('a snapshot is not held: the lists are read again after it', () => {
  const { live, tell } = harness();
  live.apply(event('status', '1', 'PROCESSING'));
  tell();
  for (const one of [plain('reset'), event('snapshot', '2'), plain('ready')]) live.apply(one);
  expect(live.jobs().map(({ jobId }) => jobId)).toEqual(['1']);
  expect(tell()).toBe(0);
});
