import { afterEach, expect, test, vi } from 'vitest';
import type { WorkerRecord } from '../workers/ports/worker-store.ts';
import { watchWorkers } from './lost-workers.ts';

afterEach(() => vi.useRealTimers());

const worker = (workerId: string, startedAt = '1', state: WorkerRecord['state'] = 'running') =>
  ({
    workerId,
    hostName: `host-${workerId[0]}`,
    startedAt,
    state,
    load: { jobIds: ['job'] },
  }) as unknown as WorkerRecord;

/** What the watch sees at each look, which is an error during an outage of the database. */
function watch() {
  vi.useFakeTimers();
  let seen: readonly WorkerRecord[] | Error = [];
  const lines: unknown[] = [];
  const log = { warn: (line: unknown) => void lines.push(line), error: () => {} };
  const closers = new AsyncDisposableStack();
  const seenWithin = async () => {
    if (seen instanceof Error) throw seen;
    return seen;
  };
  const lost = watchWorkers(closers, { seenWithin }, log);
  return {
    lost,
    lines,
    see: async (next: typeof seen, seconds = 5) => {
      seen = next;
      await vi.advanceTimersByTimeAsync(seconds * 1000);
    },
  };
}

test('a lost worker is logged once with its jobs, and counts until one on its host replaces it', async () => {
  const { see, lost, lines } = watch();
  await see([worker('a'), worker('b')]);
  await see([worker('b')], 10);
  expect(lines).toEqual([expect.objectContaining({ workerId: 'a', host: 'host-a', jobIds: ['job'] })]);
  expect(lost()).toBe(1);
  await see([worker('b'), worker('a2', '2')]);
  expect(lost()).toBe(0);
});

test('a worker that stopped, and all workers after an outage of the database, are not lost', async () => {
  const { see, lost, lines } = watch();
  await see([worker('a'), worker('b')]);
  await see([worker('a', '1', 'stopped'), worker('b')]);
  await see([worker('b')]);
  await see(new Error('no database'), 25);
  await see([], 5);
  expect([lost(), lines]).toEqual([0, []]);
});

test('a lost worker that comes back, or was lost long ago, no longer counts', async () => {
  const { see, lost } = watch();
  await see([worker('a'), worker('b')]);
  await see([]);
  expect(lost()).toBe(2);
  await see([worker('a')]);
  expect(lost()).toBe(1);
  await see([worker('a')], 601);
  expect(lost()).toBe(0);
});
