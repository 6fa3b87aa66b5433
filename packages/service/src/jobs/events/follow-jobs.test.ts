import { setImmediate } from 'node:timers/promises';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { expect, test } from 'vitest';
import { createJobChanges } from '../job-changes.ts';
import { readSteps } from '../job-reads.ts';
import type { NumberedChange } from '../ports/job-records.ts';
import { MISSED_JOBS_AT_ONCE } from './event-hub.ts';
import { jobFollowing } from './follow-jobs.ts';
import type { LiveEventWriter } from './live-event.ts';

/** A reader that is blocked for a moment after each event. */
function slowReader(onWrite: LiveEventWriter['write']): LiveEventWriter {
  let blocked: Promise<void> | undefined;
  return {
    write: (event, number) => {
      onWrite(event, number);
      blocked = setImmediate()
        .then(() => setImmediate())
        .then(() => (blocked = undefined));
    },
    blocked: () => blocked,
    end: async () => {},
  };
}

const jobOf = (jobId: string): Job => ({
  jobId,
  clientId: 'amy',
  status: 'PENDING',
  request: { input: 'in.mov', output: 'out.mp4' },
  attempt: 0,
  createdAt: '2026-01-31T12:00:00.000Z',
});

type Deps = Parameters<typeof jobFollowing>[0];

/** Follows jobs. `reads`: how many jobs each read asked for. `last`: the number of the newest change. */
function following({
  last,
  after = async () => ({ changes: [], hasMore: false }),
  sizes = async () => [],
  step = readSteps(),
}: Partial<Pick<Deps, 'step'>> & {
  readonly last: number;
  readonly after?: Deps['changeLog']['after'];
  readonly sizes?: Deps['jobs']['sizes'];
}) {
  const reads: number[] = [];
  const fail = (error: unknown): never => {
    throw error;
  };
  const follow = jobFollowing({
    changes: createJobChanges(fail),
    changeLog: {
      ...{ after, last: async () => last, isKnownSince: async () => true },
      ...{ of: async () => undefined, ofAll: async () => [] },
    },
    jobs: {
      get: async () => undefined,
      getMany: async (jobIds) => {
        reads.push(jobIds.length);
        return jobIds.map(jobOf);
      },
      list: async () => [],
      sizes,
    },
    batches: { get: async () => undefined, membersOf: async () => [], statesOf: async () => [] },
    queuePausedAt: async () => undefined,
    ...{ step, onError: fail, stopping: new AbortController().signal },
  });
  return { follow, reads };
}

test('a reader that does not keep up gets each job that it missed, and few jobs are read for it at a time', async () => {
  // Three jobs change in each transaction.
  const missed = Array.from({ length: 60 }, (_, i): NumberedChange => {
    const [number, jobId] = [Math.floor(i / 3) + 1, `job ${String(i).padStart(2, '0')}`];
    return { number, jobId, clientId: 'amy', isDeleted: false };
  });
  const { follow, reads } = following({
    last: 20,
    after: async ({ number, jobId }, limit) => {
      const isLater = (one: NumberedChange) => one.number > number || (one.number === number && one.jobId > jobId);
      return { changes: missed.filter(isLater).slice(0, limit), hasMore: false };
    },
  });
  const disconnected = new AbortController();
  const seen: [string, number | undefined][] = [];
  const writer = slowReader((event, number) => {
    seen.push(['job' in event ? event.job.jobId : event.kind, number]);
    if (event.kind === 'ready') disconnected.abort();
  });
  const caller = { clientId: 'amy', scopes: [] as const, policy: {} } as unknown as Caller;
  await follow(caller, { lastEventId: 0, signal: disconnected.signal, start: () => writer });
  const expected = missed.map(({ jobId, number }, i) => [jobId, i % 3 === 2 ? number : undefined]);
  expect(seen).toEqual([...expected, ['ready', 20]]);
  expect(Math.max(...reads)).toBeLessThanOrEqual(MISSED_JOBS_AT_ONCE);
});

test('a snapshot is read in steps, of which each client takes one in a turn of the event loop', async () => {
  const [STREAMS, JOBS] = [4, 120];
  const jobIds = Array.from({ length: JOBS }, (_, i) => `job ${String(999 - i)}`);
  const step = readSteps();
  const { follow, reads } = following({
    last: 5,
    step,
    sizes: async ({ status, before = 'z', limit }) =>
      status === 'PENDING'
        ? jobIds
            .filter((jobId) => jobId < before)
            .map((jobId) => ({ jobId, bytes: 3000 }))
            .slice(0, limit)
        : [],
  });
  const caller = { clientId: 'amy', scopes: [] as const, policy: {} } as unknown as Caller;
  const seen = Array.from({ length: STREAMS }, () => [] as string[]);
  const streams = seen.map((events) => {
    const disconnected = new AbortController();
    const write: LiveEventWriter['write'] = (event) => {
      events.push('job' in event ? event.job.jobId : event.kind);
      if (event.kind === 'ready') disconnected.abort();
    };
    const writer: LiveEventWriter = { write, blocked: () => undefined, end: async () => {} };
    return follow(caller, { signal: disconnected.signal, start: () => writer });
  });
  const perTurn: number[] = [];
  let ended = false;
  const all = Promise.all(streams).then(() => (ended = true));
  while (!ended) {
    const before = reads.length;
    await setImmediate();
    perTurn.push(reads.length - before);
  }
  await all;
  expect(seen).toEqual(seen.map(() => [...jobIds, 'ready']));
  expect(Math.max(...reads), 'jobs of 64 KiB together').toBe(21);
  expect(Math.max(...perTurn)).toBe(1);
});
