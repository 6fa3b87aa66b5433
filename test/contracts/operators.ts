import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { WorkerDescription } from '../../packages/service/src/workers/ports/worker-store.ts';
import { workerOperations } from '../../packages/service/src/workers/worker-operations.ts';
import { AT, type Engine, mustClaim, submitMany, submitOne, take, type World } from './engine.ts';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const describeWorker = (workerId: string): WorkerDescription => ({
  workerId,
  hostName: 'encoder-1',
  pid: 4711,
  version: '0.1.0',
  ffmpegVersion: '5.1.9',
  buildKey: 'b',
  catalogueKey: 'c',
  concurrency: 2,
  processors: 4,
  sandbox: 'bubblewrap',
});

const NO_SLOTS = { total: 0, used: 0 };

const operationsOn = ({ store }: World) =>
  workerOperations({
    workers: store.workers,
    control: store.queueControl,
    queuedJobs: () => store.jobs.queueDepthsOfClients(),
  });

export function operatorsContract(engine: Engine): void {
  describe(`operators on ${engine.name}`, () => {
    test('a paused queue lets no worker claim, until it is resumed', async () => {
      const world = await engine.open();
      const { queueControl } = world.store;
      const operations = operationsOn(world);
      expect(await operations.queue()).toEqual({ queued: [], clients: [], slots: NO_SLOTS });
      expect(await queueControl.mayClaim(uuid())).toBe(true);
      const { pausedAt } = await operations.pauseQueue();
      expect(pausedAt).toMatch(ISO);
      expect(await queueControl.mayClaim(uuid())).toBe(false);
      expect((await operations.pauseQueue()).pausedAt, 'a second pause changes nothing').toBe(pausedAt);
      expect(await operations.resumeQueue()).toEqual({ queued: [], clients: [], slots: NO_SLOTS });
      expect(await queueControl.mayClaim(uuid())).toBe(true);
    });

    test('the queue shows how many jobs of each lane and client are queued', async () => {
      const world = await engine.open();
      await submitMany(world, 'amy', 3);
      await submitOne(world, 'bob', { lane: 'light', weight: 25, needs: [] });
      const { queued, clients } = await operationsOn(world).queue();
      expect(queued.toSorted((a, b) => b.jobs - a.jobs)).toMatchObject([
        { lane: 'full', jobs: 3 },
        { lane: 'light', jobs: 1 },
      ]);
      expect(clients).toMatchObject([
        { clientId: 'amy', queued: [{ lane: 'full', jobs: 3 }], running: 0 },
        { clientId: 'bob', queued: [{ lane: 'light', jobs: 1 }], running: 0 },
      ]);
    });

    test('the queue shows how many slots of the workers that take jobs are in use', async () => {
      const world = await engine.open();
      const { workers } = world.store;
      const operations = operationsOn(world);
      const [drained, ...takers] = [uuid(), uuid(), uuid()];
      const report = { state: 'running', freeScratchBytes: 1 } as const;
      for (const [index, id] of takers.entries())
        await workers.report(describeWorker(id), { ...report, load: { slots: index + 0.5, cores: 1 } });
      await workers.report(describeWorker(drained), { ...report, load: { slots: 1, cores: 1 } });
      await operations.drain(drained);
      expect((await operations.queue()).slots).toEqual({ total: 4, used: 2 });
    });

    test('tells the statuses of jobs by their ids, without deleted ones', async () => {
      const world = await engine.open();
      const [running, queued] = await submitMany(world, 'amy', 2);
      if (running === undefined || queued === undefined) throw new Error('No jobs were submitted.');
      await mustClaim(world, running);
      const found = await world.store.queueControl.statusesOf([queued, uuid(), running]);
      expect(new Map(found.map((job) => [job.jobId, job]))).toEqual(
        new Map([
          [running, { jobId: running, clientId: 'amy', status: 'PROCESSING' }],
          [queued, { jobId: queued, clientId: 'amy', status: 'PENDING' }],
        ]),
      );
      expect(await world.store.queueControl.statusesOf([])).toEqual([]);
    });

    test('a worker is shown with the jobs that it runs, and stays so while it drains', async () => {
      const world = await engine.open();
      const { store, queue } = world;
      const operations = operationsOn(world);
      const [own, other] = [uuid(), uuid()];
      for (const id of [own, other])
        await store.workers.report(describeWorker(id), { state: 'running', freeScratchBytes: 1 });
      const jobId = await submitOne(world, 'amy');
      const [delivery] = await take(world);
      await store.transactions.run((tx) => store.jobs.claim(tx, jobId, AT, own));
      const stateOf = async (workerId: string) =>
        (await operations.list()).find((worker) => worker.workerId === workerId)?.state;
      const [first, second] = await operations.list();
      expect([first?.workerId, second?.workerId].toSorted()).toEqual([own, other].toSorted());
      expect((first?.workerId === own ? first : second)?.jobs).toEqual([
        { jobId, clientId: 'amy', phase: 'STAGING', workerId: own, claimedAt: AT },
      ]);
      expect(await operations.drain(own)).toMatchObject({
        state: 'draining',
        drainRequestedAt: expect.stringMatching(ISO),
      });
      expect([await store.queueControl.mayClaim(own), await store.queueControl.mayClaim(other)]).toEqual([false, true]);
      // Its next report changes nothing about that.
      await store.workers.report(describeWorker(own), { state: 'running', freeScratchBytes: 1 });
      expect(await stateOf(own)).toBe('draining');
      if (delivery === undefined) throw new Error('No ticket was handed out.');
      await store.transactions.run(async (tx) => {
        await queue.requeue(tx, delivery, 0);
        const claim = { job: { jobId }, fence: 1 } as Parameters<typeof store.jobs.requeue>[1];
        await store.jobs.requeue(tx, claim, { keepAttempt: true });
      });
      expect(await stateOf(own)).toBe('drained');
      expect(await operations.resume(own)).toMatchObject({ state: 'running', jobs: [] });
      expect(await store.queueControl.mayClaim(own)).toBe(true);
    });

    test('a job that is claimed again belongs to its new worker', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      await world.store.transactions.run((tx) => world.store.jobs.claim(tx, jobId, AT, 'one'));
      await world.store.transactions.run((tx) => world.store.jobs.claim(tx, jobId, AT, 'other'));
      expect(await world.store.queueControl.runningJobs()).toMatchObject([{ jobId, workerId: 'other' }]);
      await mustClaim(world, jobId);
      expect((await world.store.queueControl.runningJobs())[0]).not.toHaveProperty('workerId');
    });

    test('a worker that does not exist cannot be drained', async () => {
      const world = await engine.open();
      await expect(operationsOn(world).drain(uuid())).rejects.toMatchObject({ code: 'WORKER_NOT_FOUND' });
      await expect(operationsOn(world).resume(uuid())).rejects.toMatchObject({ code: 'WORKER_NOT_FOUND' });
    });
  });
}
