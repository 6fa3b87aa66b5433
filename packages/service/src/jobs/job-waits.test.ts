import type { Caller } from '@telecine/contract/domain/client.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { describe, expect, test, vi } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { createJobChanges, type JobChange } from './job-changes.ts';
import type { JobSelection, JobWaitOptions } from './job-waits.ts';
import { type JobWaitDeps, jobWaits, MAX_WAITS_PER_CLIENT } from './job-waits.ts';

const AMY: Caller = { clientId: 'amy', scopes: ['jobs:read'], root: mediaRoot('/srv/media'), policy: {} };
const BOB: Caller = { ...AMY, clientId: 'bob' };
const JOB: Job = {
  jobId: 'job',
  clientId: 'amy',
  status: 'PROCESSING',
  request: { input: 'in.mp4', output: 'o.mp4' },
  attempt: 1,
  createdAt: '2026-11-20T10:00:00.000Z',
};
const ENDED: Job = { ...JOB, status: 'COMPLETED' };

const notUsed = async (): Promise<never> => {
  throw new Error('not used');
};
const NOT_USED: Pick<JobWaitDeps, 'jobs' | 'batches' | 'step'> = {
  jobs: { get: notUsed, getMany: notUsed, search: notUsed },
  batches: { get: notUsed, statesOf: notUsed },
  step: async (_clientId, _signal, step) => step(),
};

/** One job in memory. `change` stores it and then publishes the change, as the use cases do. */
function open() {
  let job = JOB;
  const changes = createJobChanges((error) => {
    throw error;
  });
  const stopping = new AbortController();
  const get = vi.fn<(jobId: string) => Promise<Job>>(async () => job);
  const { wait } = jobWaits({ ...NOT_USED, jobs: { ...NOT_USED.jobs, get }, changes, stopping: stopping.signal });
  const publish = (change: { kind: 'progress'; progress: object } | { kind: 'ended'; status: 'COMPLETED' }): void =>
    changes.publish({ ...change, jobId: 'job', clientId: 'amy' } as JobChange);
  return {
    get,
    stopping,
    wait: (options: Partial<JobWaitOptions> = {}, caller = AMY) =>
      wait(caller, 'job', { seconds: 30, signal: new AbortController().signal, until: 'end', ...options }),
    progress: (percent: number) => {
      job = { ...JOB, progress: { percent } };
      publish({ kind: 'progress', progress: { percent } });
    },
    end: () => {
      job = ENDED;
      publish({ kind: 'ended', status: 'COMPLETED' });
    },
  };
}

describe('waiting for a job', () => {
  test('resolves when the job ends, without reading the store in between', async () => {
    const t = open();
    const waiting = t.wait();
    await vi.waitFor(() => expect(t.get).toHaveBeenCalledTimes(1));
    t.progress(50);
    t.end();
    expect(await waiting).toEqual(ENDED);
    expect(t.get).toHaveBeenCalledTimes(2);
  });

  test('does not miss a job that ends between the subscription and the read', async () => {
    const t = open();
    t.get.mockImplementationOnce(async () => {
      t.end();
      return JOB;
    });
    expect(await t.wait()).toEqual(ENDED);
  });

  test('resolves at the first change if "until" is "change"', async () => {
    const t = open();
    const waiting = t.wait({ until: 'change' });
    await vi.waitFor(() => expect(t.get).toHaveBeenCalledTimes(1));
    t.progress(50);
    expect(await waiting).toMatchObject({ status: 'PROCESSING', progress: { percent: 50 } });
  });

  test('reports the job at the start and after each change', async () => {
    const t = open();
    const seen: (number | undefined)[] = [];
    const waiting = t.wait({ onChange: async ({ progress }) => void seen.push(progress?.percent) });
    await vi.waitFor(() => expect(seen).toEqual([undefined]));
    t.progress(50);
    await vi.waitFor(() => expect(seen).toEqual([undefined, 50]));
    t.end();
    await waiting;
    expect(seen).toEqual([undefined, 50, undefined]);
  });

  test('resolves to the job as it is when the time is over, the caller disconnects or the service stops', async () => {
    const t = open();
    expect(await t.wait({ seconds: 0.01 })).toEqual(JOB);
    expect(await t.wait({ signal: AbortSignal.abort() })).toEqual(JOB);
    const waiting = t.wait();
    t.stopping.abort();
    expect(await waiting).toEqual(JOB);
  });

  test('rejects a job of another client', async () => {
    await expect(open().wait({}, BOB)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  test('is limited for each client', async () => {
    const t = open();
    const waits = Array.from({ length: MAX_WAITS_PER_CLIENT }, () => t.wait());
    expect(await t.wait()).toBeUndefined();
    await expect(t.wait({}, BOB)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    t.end();
    expect(await Promise.all(waits)).toHaveLength(MAX_WAITS_PER_CLIENT);
    expect(await t.wait()).toEqual(ENDED);
  });
});

/** Several jobs in memory, which a test ends or deletes. */
function openSeveral(jobIds: readonly string[]) {
  const stored = new Map(jobIds.map((jobId): [string, Job] => [jobId, { ...JOB, jobId }]));
  const changes = createJobChanges((error) => {
    throw error;
  });
  const getMany = vi.fn(async (ids: readonly string[]) => ids.flatMap((id) => stored.get(id) ?? []));
  const search = async () => ({ jobs: jobIds.map((jobId) => ({ jobId, bytes: 1 })) });
  const { waitForAll } = jobWaits({
    ...NOT_USED,
    jobs: { ...NOT_USED.jobs, getMany, search },
    changes,
    stopping: new AbortController().signal,
  });
  const ended = vi.fn(async (_ended: number, _all: number) => {});
  return {
    getMany,
    ended,
    wait: (selection: JobSelection, { caller = AMY, seconds = 30 } = {}) =>
      waitForAll(caller, selection, {
        seconds,
        signal: new AbortController().signal,
        keep: ({ jobId, status }) => `${jobId} ${status}`,
        onEnd: ended,
      }),
    remove: (jobId: string) => stored.delete(jobId),
    end: (jobId: string) => {
      stored.set(jobId, { ...ENDED, jobId });
      changes.publish({ kind: 'ended', status: 'COMPLETED', jobId, clientId: 'amy' });
    },
  };
}

describe('waiting for several jobs', () => {
  test('resolves when the last has ended, and reads again only those that have', async () => {
    const t = openSeveral(['a', 'b', 'c']);
    t.end('b');
    const waiting = t.wait({ jobIds: ['a', 'b', 'c', 'a'] });
    await vi.waitFor(() => expect(t.ended).toHaveBeenCalledTimes(1));
    t.end('c');
    await vi.waitFor(() => expect(t.ended).toHaveBeenCalledTimes(2));
    t.end('a');
    expect(await waiting).toEqual({
      jobs: ['a COMPLETED', 'b COMPLETED', 'c COMPLETED'],
      running: 0,
      hasMore: false,
    });
    expect(t.getMany.mock.calls).toEqual([[['a', 'b', 'c']], [['c']], [['a']]]);
    expect(t.ended.mock.calls).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  test('returns all as they are when the time is over, and how many have not ended', async () => {
    const t = openSeveral(['a', 'b']);
    t.end('a');
    expect(await t.wait({ jobIds: ['a', 'b'] }, { seconds: 0.01 })).toEqual({
      jobs: ['a COMPLETED', 'b PROCESSING'],
      running: 1,
      hasMore: false,
    });
  });

  test('does not wait for a job that is deleted', async () => {
    const t = openSeveral(['a', 'b']);
    const waiting = t.wait({ jobIds: ['a', 'b'] }, { seconds: 0.5 });
    await vi.waitFor(() => expect(t.ended).toHaveBeenCalledTimes(1));
    t.remove('b');
    t.end('a');
    expect(await waiting).toEqual({ jobs: ['a COMPLETED'], running: 0, hasMore: false });
  });

  test('rejects an id that does not exist, or of a job of another client', async () => {
    const t = openSeveral(['a']);
    await expect(t.wait({ jobIds: ['a', 'none'] })).rejects.toMatchObject({
      code: 'JOB_NOT_FOUND',
      message: expect.stringContaining('none'),
    });
    await expect(t.wait({ jobIds: ['a'] }, { caller: BOB })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  test('takes the newest 100 jobs with the metadata, and says that there may be more', async () => {
    const t = openSeveral(Array.from({ length: 101 }, (_, i) => `job-${i}`));
    const found = await t.wait({ metadata: { order: 'A-1042' } }, { seconds: 0.01 });
    expect(found).toMatchObject({ running: 100, hasMore: true });
    expect(found?.jobs).toHaveLength(100);
  });
});
