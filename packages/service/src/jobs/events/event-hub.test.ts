import type { Job } from '@telecine/contract/domain/job.ts';
import { expect, test, vi } from 'vitest';
import { createJobChanges, createWatchChanges, type JobFilter } from '../job-changes.ts';
import type { NumberedChange } from '../ports/job-records.ts';
import { CHANGES_AT_ONCE, EventHub } from './event-hub.ts';
import { jobIdOf, type LiveEvent } from './live-event.ts';

const change = (number: number, jobId: string): NumberedChange => ({ number, jobId, clientId: 'amy', isDeleted: true });

/** A hub whose first reads return these pages. `wake` makes it read. */
function hubOf(pages: readonly { changes: readonly NumberedChange[]; hasMore: boolean }[], jobs: readonly Job[] = []) {
  const fail = (error: unknown): never => {
    throw error;
  };
  const changes = createJobChanges(fail);
  const watches = createWatchChanges(() => {});
  const rest = [...pages];
  const hub = new EventHub({
    changes,
    watchChanges: watches,
    changeLog: { after: async () => rest.shift() ?? { changes: [], hasMore: false } },
    jobs: { getMany: async () => jobs, list: async () => [] as Job[] },
    queuePausedAt: async () => undefined,
    onError: fail,
  });
  return { hub, watches, wake: () => changes.publish({ kind: 'created', jobId: 'a', clientId: 'amy' }) };
}

/** Resolves to the changes that a follower of all jobs receives, as `[number, isLast]`. */
async function deliver(pages: Parameters<typeof hubOf>[0]) {
  const { hub, wake } = hubOf(pages);
  const seen: [number, boolean][] = [];
  const leave = hub.join(['all'], 0, {
    change: (_event, number, isLast) => void seen.push([number, isLast]),
    progress: () => {},
  });
  wake();
  const count = pages.flatMap((page) => page.changes).length;
  await vi.waitUntil(() => seen.length === count, { timeout: 10_000 });
  leave();
  return seen;
}

test('a reader has the last number of its own changes, also if those of other clients with that number follow', async () => {
  const changes = [change(7, 'a'), change(7, 'b'), { ...change(7, 'c'), clientId: 'bob' }];
  const { hub, wake } = hubOf([{ changes, hasMore: false }]);
  const seen: [string, boolean][] = [];
  const follow = (name: string, filter: JobFilter) =>
    hub.join([filter], 0, {
      change: (event, _number, isLast) => void seen.push([`${name} ${jobIdOf(event)}`, isLast]),
      progress: () => {},
    });
  const leave = [follow('amy', { clientId: 'amy' }), follow('job', { jobId: 'a' }), follow('all', 'all')];
  wake();
  await vi.waitUntil(() => seen.length === 6, { timeout: 10_000 });
  for (const each of leave) each();
  expect(Object.fromEntries(seen)).toEqual({
    ...{ 'amy a': false, 'amy b': true },
    'job a': true,
    ...{ 'all a': false, 'all b': false, 'all c': true },
  });
});

test('a change has its number also while later changes wait for the end of a transaction', async () => {
  expect(await deliver([{ changes: [change(7, 'a')], hasMore: true }])).toEqual([[7, true]]);
});

test('only the last of the changes with one number has it, also if they come in two pages', async () => {
  const first = Array.from({ length: CHANGES_AT_ONCE }, () => change(7, 'a'));
  const seen = await deliver([
    { changes: first, hasMore: true },
    { changes: [change(7, 'b'), change(8, 'a')], hasMore: false },
  ]);
  expect(seen.filter(([, isLast]) => isLast)).toEqual([
    [7, true],
    [8, true],
  ]);
  expect(seen.findIndex(([, isLast]) => isLast)).toBe(CHANGES_AT_ONCE);
});

/** Follows with three filters. Returns the watches of which each is told. */
function followWatches(hub: ReturnType<typeof hubOf>['hub']) {
  const told = { amy: [] as unknown[], all: [] as unknown[], job: [] as unknown[] };
  const follow = (seen: unknown[], filter: JobFilter) =>
    hub.join([filter], 0, {
      change: () => {},
      progress: (event: LiveEvent) => void seen.push(event.kind === 'watch' ? event.watchId : event.kind),
    });
  const leave = [follow(told.amy, { clientId: 'amy' }), follow(told.all, 'all'), follow(told.job, { jobId: 'a' })];
  return {
    told,
    leave: () => {
      for (const each of leave) each();
    },
  };
}

test('those who follow all jobs are told once of many changes of a watch; those who follow one job are not', async () => {
  const { hub, watches } = hubOf([]);
  const { told, leave } = followWatches(hub);
  for (let i = 0; i < 10; i += 1) watches.publish({ watchId: 'w', clientId: 'amy' });
  watches.publish({ watchId: 'v', clientId: 'bob' });
  await vi.waitUntil(() => told.all.length === 2, { timeout: 10_000 });
  leave();
  expect(told).toEqual({ amy: ['w'], all: ['w', 'v'], job: [] });
});

test('the start or end of a job of a watch is a change of the watch, also if another service has made it', async () => {
  const job = { jobId: 'a', clientId: 'amy', status: 'PENDING', watchId: 'w' } as unknown as Job;
  const { hub, wake } = hubOf([{ changes: [{ ...change(7, 'a'), isDeleted: false }], hasMore: false }], [job]);
  const { told, leave } = followWatches(hub);
  wake();
  await vi.waitUntil(() => told.all.length > 0, { timeout: 10_000 });
  leave();
  expect(told).toEqual({ amy: ['w'], all: ['w'], job: [] });
});
