import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { createJobChanges } from '../../packages/service/src/jobs/job-changes.ts';
import { submitOne } from '../contracts/engine.ts';
import { openWorker } from '../fixtures/open-worker.ts';

const FILM = { lane: 'full', weight: 100, needs: [] } as const;
const FETCHED = { lane: 'fetch', weight: 100, needs: [] } as const;

const SOON = { timeout: 25_000, interval: 5 };

/** Makes the random interval of polls days long, so that only events let a worker look at the queue. */
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(1e6);
  return () => vi.restoreAllMocks();
});

/** A worker whose queue can be paused. `asked`: how often the worker has asked whether it may claim. */
async function openPausable() {
  const state = { isPaused: false, asked: 0 };
  const changes = createJobChanges((error) => {
    throw error;
  });
  const mayClaim = async (): Promise<boolean> => {
    state.asked += 1;
    return !state.isPaused;
  };
  const opened = await openWorker({ mayClaim, changes, acceptsAllJobs: true });
  const submit = async (requirements: typeof FILM | typeof FETCHED = FILM): Promise<string> => {
    const jobId = await submitOne(opened.world, 'amy', requirements);
    changes.publish({ kind: 'created', jobId, clientId: 'amy' });
    return jobId;
  };
  return { ...opened, state, submit };
}

test('a job fetches its inputs as soon as another one of its client has its own', async () => {
  const { start, staged, started, world, release } = await openPausable();
  for (let i = 0; i < 5; i++) await submitOne(world, 'amy', FETCHED);
  start();
  await vi.waitFor(() => expect(staged).toHaveLength(5), SOON);
  for (let i = 0; i < 5; i++) {
    await vi.waitFor(() => expect(started).toHaveLength(i + 1), SOON);
    release(started[i] ?? '');
  }
});

test('a job that ends lets the worker look for another one once', async () => {
  const { start, started, world, release, state } = await openPausable();
  for (let i = 0; i < 4; i++) await submitOne(world, 'amy', FILM);
  const worker = start();
  for (let i = 0; i < 4; i++) {
    await vi.waitFor(() => expect(started).toHaveLength(i + 1), SOON);
    release(started[i] ?? '');
  }
  await vi.waitFor(() => expect(worker.jobs.size).toBe(0), SOON);
  expect(state.asked, 'once for each job').toBe(4);
});

test('a worker asks about a paused queue ten times a second, however many jobs arrive, and forgets none of them', async () => {
  const { start, started, submit, state } = await openPausable();
  state.isPaused = true;
  start();
  const startedAt = performance.now();
  const jobs: string[] = [];
  while (jobs.length < 39) {
    jobs.push(await submit());
    await sleep(5);
  }
  expect(state.asked).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 100);
  state.isPaused = false;
  // No poll follows, so the worker asks again only because of this job.
  jobs.push(await submit());
  await vi.waitFor(() => expect(started).toEqual([jobs[0]]), SOON);
});
