import { setTimeout as sleep } from 'node:timers/promises';
import { JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import { StoreUnavailable } from '@telecine/contract/domain/store-errors.ts';
import { expect, test } from 'vitest';
import type { PublishIntent } from '../ports/media-store.ts';
import { publishFiles, publishWait, retryWhileUnavailable, unpublishFiles } from './outage-retries.ts';

const { signal } = new AbortController();

test('repeats work until the store is available', async () => {
  let runs = 0;
  const work = async (): Promise<string> => {
    runs += 1;
    if (runs < 2) throw new StoreUnavailable();
    return 'stored';
  };
  expect(await retryWhileUnavailable(work, signal)).toBe('stored');
  expect(runs).toBe(2);
});

test('does not repeat work that fails for another reason', async () => {
  const fault = new Error('a defect');
  let runs = 0;
  const work = async (): Promise<void> => {
    runs += 1;
    throw fault;
  };
  await expect(retryWhileUnavailable(work, signal)).rejects.toBe(fault);
  expect(runs).toBe(1);
});

test('an abort ends the wait; then the work runs one last time', async () => {
  const stop = new AbortController();
  let runs = 0;
  const work = async (): Promise<void> => {
    runs += 1;
    if (runs === 1) queueMicrotask(() => stop.abort());
    throw new StoreUnavailable();
  };
  await expect(retryWhileUnavailable(work, stop.signal)).rejects.toBeInstanceOf(StoreUnavailable);
  expect(runs).toBe(2);
});

test('works that share an outage share how long it may last, until one of them succeeds', async () => {
  const outage = {};
  let runs = 0;
  const fail = async (): Promise<void> => {
    runs += 1;
    throw new StoreUnavailable();
  };
  const run = (work: () => Promise<void>) => retryWhileUnavailable(work, signal, { maxMs: 100, outage });
  const both = await Promise.allSettled([run(fail), run(fail)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(runs).toBe(4);
  await expect(run(fail)).rejects.toBeInstanceOf(StoreUnavailable);
  expect(runs).toBe(5);
  await run(async () => {});
  expect(outage).toEqual({});
});

test('a call that lasts longer than an outage may last is not repeated', async () => {
  let runs = 0;
  const stall = async (): Promise<void> => {
    runs += 1;
    await sleep(20);
    throw new StoreUnavailable();
  };
  await expect(retryWhileUnavailable(stall, signal, { maxMs: 10 })).rejects.toBeInstanceOf(StoreUnavailable);
  expect(runs).toBe(1);
});

test('publishing waits no longer for the storage than the repetition of the attempt would take', () => {
  expect([1000, 60_000, 3_600_000].map(publishWait)).toEqual([30_000, 60_000, 300_000]);
});

test('publishing and unpublishing go on after an outage of the database', async () => {
  for (const run of [publishFiles, unpublishFiles]) {
    let calls = 0;
    const work = async (): Promise<never> => {
      calls += 1;
      if (calls === 1) throw new StoreUnavailable();
      return true as never;
    };
    expect(await run({ publish: work, unpublish: work }, intent, signal)).toBe(true);
  }
});

const intent: PublishIntent = { scratch: 'job.1', outputs: [], engine: 'test', version: 1, data: undefined };
const outage = new JobFailed({ code: 'STORAGE_FAULT', message: 'The object store cannot be reached.' });

/** Media whose first calls fail. */
function failing(error: Error, times: number) {
  const calls: PublishIntent[] = [];
  return {
    calls,
    unpublish: async (called: PublishIntent) => {
      calls.push(called);
      if (calls.length <= times) throw error;
    },
  };
}

test('waits until the storage can be reached', async () => {
  const media = failing(outage, 1);
  await unpublishFiles(media, intent, new AbortController().signal);
  expect(media.calls).toEqual([intent, intent]);
});

test.each([
  ['a fault that a retry does not fix', new JobFailed(outage.failure, undefined, true)],
  ['an error of the service', new Error('a defect')],
])('does not wait for %s', async (_title, error) => {
  const media = failing(error, 1);
  await expect(unpublishFiles(media, intent, new AbortController().signal)).rejects.toBe(error);
  expect(media.calls).toHaveLength(1);
});

test('an abort ends the wait; then it tries one last time', async () => {
  const stop = new AbortController();
  const media = failing(outage, 5);
  const unpublished = unpublishFiles(media, intent, stop.signal);
  queueMicrotask(() => stop.abort());
  await expect(unpublished).rejects.toBe(outage);
  expect(media.calls).toHaveLength(2);
});

test('publishing waits for a storage that is down, and for no other fault', async () => {
  const calls: PublishIntent[] = [];
  const publish = (error: Error) => async (called: PublishIntent) => {
    if (calls.push(called) === 1) throw error;
    return true;
  };
  const { signal } = new AbortController();
  expect(await publishFiles({ publish: publish(new StorageDown(outage.failure)) }, intent, signal)).toBe(true);
  expect(calls).toHaveLength(2);
  calls.length = 0;
  await expect(publishFiles({ publish: publish(outage) }, intent, signal)).rejects.toBe(outage);
});
