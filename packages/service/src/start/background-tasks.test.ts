import { StoreFull } from '@telecine/contract/domain/store-errors.ts';
import { expect, test, vi } from 'vitest';
import { every } from './background-tasks.ts';

const MINUTE_MS = 60_000;

test('a task runs at intervals, but not again while it runs, and also after an error, which is logged unless it is an outage', async () => {
  vi.useFakeTimers();
  const errors: object[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const task = (): Promise<void> => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  };
  try {
    const timer = every(MINUTE_MS, 'a task', task, { error: (details: object) => void errors.push(details) });
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
    expect(ends).toHaveLength(1);
    ends[0]?.reject(new Error('The disk hangs.'));
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(ends).toHaveLength(2);
    ends[1]?.reject(new StoreFull('this request'));
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(ends).toHaveLength(3);
    expect(errors).toMatchObject([{ component: 'a task' }]);
    let isDisposed = false;
    const disposed = timer[Symbol.asyncDispose]().then(() => {
      isDisposed = true;
    });
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(isDisposed, 'it waits for the run in progress').toBe(false);
    ends[2]?.resolve();
    await disposed;
    expect(ends).toHaveLength(3);
  } finally {
    vi.useRealTimers();
  }
});

test('a task may also run soon after the start, at a time that differs between services', async () => {
  vi.useFakeTimers();
  let runs = 0;
  const task = async () => {
    runs += 1;
  };
  try {
    const timer = every(60 * MINUTE_MS, 'a task', task, { error: () => {} }, { startsWithinMs: MINUTE_MS });
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(59 * MINUTE_MS);
    expect(runs).toBe(2);
    await timer[Symbol.asyncDispose]();
  } finally {
    vi.useRealTimers();
  }
});
