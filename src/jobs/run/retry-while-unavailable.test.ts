import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../domain/store-errors.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

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
  const run = (work: () => Promise<void>) => retryWhileUnavailable(work, signal, { maxMs: 0, outage });
  const both = await Promise.allSettled([run(fail), run(fail)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(runs).toBe(4);
  await expect(run(fail)).rejects.toBeInstanceOf(StoreUnavailable);
  expect(runs).toBe(5);
  await run(async () => {});
  expect(outage).toEqual({});
});
