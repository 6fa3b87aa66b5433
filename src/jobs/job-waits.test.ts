import { describe, expect, test, vi } from 'vitest';
import { mediaRoot } from '../../test/support/media-root.ts';
import type { Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import { createJobChanges, type JobChange } from './job-changes.ts';
import { jobWaits, MAX_WAITS_PER_CLIENT } from './job-waits.ts';
import type { JobWaitOptions } from './operations.ts';

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

/** One job in memory; `change` stores it and then publishes, as the use cases do. */
function open() {
  let job = JOB;
  const changes = createJobChanges((error) => {
    throw error;
  });
  const stopping = new AbortController();
  const get = vi.fn<(jobId: string) => Promise<Job>>(async () => job);
  const wait = jobWaits({ jobs: { get }, changes, stopping: stopping.signal });
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
