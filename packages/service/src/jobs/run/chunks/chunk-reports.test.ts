import type { Job } from '@telecine/contract/domain/job.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChunkClaim } from '../../ports/chunk-store.ts';
import type { Delivery } from '../../ports/job-queue.ts';
import { startReports } from './chunk-reports.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const claim = { chunk: { jobId: 'job' }, fence: 1 } as ChunkClaim;
const delivery = {} as Delivery;

/** Reports of a chunk whose job is wanted until `isWanted` is set to false. `isWaiting`: see `startReports`. */
function reports(isWaiting = false) {
  const stop = new AbortController();
  const job = { isWanted: true, seconds: [] as number[] };
  const deps = {
    chunks: {
      progress: async (_: ChunkClaim, doneSeconds: number) => {
        job.seconds.push(doneSeconds);
        return job.isWanted;
      },
    },
    jobs: {
      get: async () => ({ status: 'PROCESSING', ...(!job.isWanted && { cancelRequestedAt: 'now' }) }) as Job,
    },
    queue: { renewLease: async () => true },
    onInternalError: () => undefined,
  };
  return { stop, job, running: startReports(deps, claim, delivery, stop, isWaiting) };
}

test('a worker stops to encode a chunk within a second after its job was cancelled', async () => {
  const { stop, job, running } = reports();
  running.setDone(3);
  await vi.advanceTimersByTimeAsync(5900);
  expect(stop.signal.aborted).toBe(false);
  expect(job.seconds.at(-1)).toBe(3);
  job.isWanted = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(stop.signal.aborted).toBe(true);
  await running.stop();
});

test('a sample whose input is still copied has no reports, so that another worker may try it, and ends with its job', async () => {
  const { stop, job, running } = reports(true);
  await vi.advanceTimersByTimeAsync(2500);
  expect(job.seconds).toEqual([]);
  running.setDone(0);
  await vi.advanceTimersByTimeAsync(1000);
  expect(job.seconds).toEqual([0]);
  await running.stop();
  expect(stop.signal.aborted).toBe(false);
  const other = reports(true);
  other.job.isWanted = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(other.stop.signal.aborted).toBe(true);
  await other.running.stop();
});
