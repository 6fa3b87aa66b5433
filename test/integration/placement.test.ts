import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { AttemptReport } from '../../packages/service/src/jobs/run/run-job.ts';
import { submitOne } from '../contracts/engine.ts';
import { openWorker } from '../fixtures/open-worker.ts';

const ORDINARY = { lane: 'full', weight: 100, needs: [] } as const;

/** How long to wait for what a worker does within its next polls, also on a machine with much else to do. */
const SOON = { timeout: 25_000 };

test('an attempt reports the work of its conversion, and how many cores the others used', async () => {
  const reports: AttemptReport[] = [];
  const run = { work: { kind: 'libx264', seconds: 34, isVideo: true, starts: 1 }, sizes: [], seconds: 20 };
  const other = Promise.withResolvers<void>();
  let runs = 0;
  const { start, world } = await openWorker({
    slots: 2,
    processors: 4,
    onAttemptEnded: (report) => reports.push(report),
    convert: async ({ onStart }) => {
      onStart();
      runs += 1;
      await (runs === 1 ? other.promise : sleep(100));
      return { ok: true, outputs: [], measurements: {}, log: '', warnings: [], measured: run };
    },
  });
  const jobs = [await submitOne(world, 'amy', ORDINARY), await submitOne(world, 'bob', ORDINARY)];
  const worker = start();
  await vi.waitFor(() => expect(reports).toHaveLength(1), SOON);
  expect(worker.jobs.load().slots).toBe(1);
  other.resolve();
  await vi.waitFor(() => expect(reports.map(({ job }) => job.jobId).toSorted()).toEqual(jobs.toSorted()), SOON);
  expect(reports[0]?.measured).toMatchObject(run);
  // Each of the two wants 3.4 of the four cores.
  expect(reports[0]?.measured?.busyCores).toBeCloseTo(3.4, 0);
});
