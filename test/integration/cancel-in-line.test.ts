import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Caller } from '../../packages/contract/src/domain/client.ts';
import type { Job } from '../../packages/contract/src/domain/job.ts';
import { cancelJob } from '../../packages/service/src/jobs/job-actions.ts';
import { AT, startNext, submitMany, submitOne, take, type World } from '../contracts/engine.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { mediaRoot } from '../support/media-root.ts';

const AMY: Caller = { clientId: 'amy', scopes: ['jobs:write'], root: mediaRoot('/srv/media'), policy: {} };

const cancelOf = ({ store, queue }: World, jobId: string, get = store.jobs.get): Promise<Job> =>
  cancelJob(
    { ...store, jobs: { ...store.jobs, get }, queue, now: () => new Date(AT), changes: { publish: () => {} } },
    AMY,
    jobId,
  );

test('cancelling a queued job removes its ticket', async () => {
  const world = await sqlite.open();
  const [first = '', second] = await submitMany(world, 'amy', 2);
  expect(await cancelOf(world, first)).toMatchObject({ status: 'CANCELLED', error: { code: 'CANCELLED' } });
  expect((await take(world, 9)).map(({ jobId }) => jobId)).toEqual([second]);
});

test('cancelling a job that a worker claims at the same moment keeps its ticket for the case that the worker is lost', async () => {
  const world = await sqlite.open({ leaseSeconds: 0.1 });
  const jobId = await submitOne(world);
  const waiting = await world.store.jobs.get(jobId);
  await startNext(world);
  await sleep(150);
  await take(world, 0);
  let reads = 0;
  const job = await cancelOf(world, jobId, (id) =>
    reads++ === 0 ? Promise.resolve(waiting) : world.store.jobs.get(id),
  );
  expect(job).toMatchObject({ status: 'PROCESSING', cancelRequestedAt: AT });
  expect(await take(world, 9)).toMatchObject([{ jobId }]);
});
