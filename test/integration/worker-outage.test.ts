import { expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../packages/contract/src/domain/store-errors.ts';
import type { WorkerDeps } from '../../packages/service/src/jobs/run/worker.ts';
import { insertJobs } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import { AT, jobToInsert, REQUEST, submitOne } from '../contracts/engine.ts';
import { openWorker } from '../fixtures/open-worker.ts';

/** How long to wait for what a worker does within its next polls, also on a machine with much else to do. */
const SOON = { timeout: 25_000 };

test('a worker that cannot remove the chunks of an ended job takes the next job, and stops without waiting', async () => {
  let tries = 0;
  const chunks = {
    claim: async () => undefined,
    list: async () => {
      tries += 1;
      throw new StoreUnavailable();
    },
  };
  const errors: unknown[] = [];
  const { start, started, world } = await openWorker({
    chunked: {
      chunks,
      needs: [],
      sharingWorkers: async () => [{ concurrency: 1 }],
    } as unknown as NonNullable<WorkerDeps['chunked']>,
    onInternalError: (_jobId, error) => errors.push(error),
  });
  const { store, queue } = world;
  const request = JSON.stringify({ ...REQUEST, chunks: { seconds: 2 } });
  const job = jobToInsert('amy', { request });
  await store.transactions.run((tx) => insertJobs({ ...store, queue, now: () => new Date(AT) }, tx, [job]));
  const worker = start();
  await vi.waitFor(() => expect(started).toEqual([job.jobId]), SOON);
  await store.transactions.run((tx) => store.jobs.requestCancel(tx, [job.jobId], AT));
  await vi.waitFor(() => expect(tries).toBeGreaterThan(0), SOON);

  const next = await submitOne(world, 'bob');
  await vi.waitFor(() => expect(started).toContain(next), SOON);
  expect(worker.jobs.size).toBe(1);
  await worker.drain(0);
  expect(tries, 'the hourly task removes them').toBe(1);
  expect(errors).toEqual([expect.any(StoreUnavailable)]);
});
