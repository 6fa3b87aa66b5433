import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { Batch } from '../../packages/contract/src/domain/batch.ts';
import { dependencyEndWrite } from '../../packages/service/src/jobs/dependents.ts';
import { CANCELLED_ON_REQUEST, type EndJobDeps } from '../../packages/service/src/jobs/end-job.ts';
import { type DependentJob, insertDependents } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import { newJobId } from '../../packages/service/src/jobs/submit/new-job-id.ts';
import { recordJobEnd } from '../../packages/service/src/webhooks/record-job-end.ts';
import { type AnyEnd, AT, claim, type Engine, endAny, jobToInsert, take, type World } from './engine.ts';

const CALLBACK = 'https://user:pass@example.org/done?key=1';

/** Stores a batch of `count` jobs. With `inOrder`, each waits for the one before. Returns the ids of its jobs. */
async function submit(world: World, change: Partial<Batch> = {}, count = 3, inOrder = false) {
  const { store, queue } = world;
  const batch: Batch = { batchId: newJobId(), clientId: 'amy', createdAt: AT, size: count, ...change };
  const { batchId, clientId } = batch;
  const jobIds = Array.from({ length: count }, newJobId);
  const jobs = jobIds.map((jobId, index): DependentJob => {
    const parent = inOrder ? jobIds[index - 1] : undefined;
    return {
      ...jobToInsert(clientId, { jobId, batch: { batchId, name: `job ${index}` } }),
      after: parent === undefined ? [] : [{ jobId: parent, field: '' }],
    };
  });
  const members = jobIds.map((jobId, index) => ({ jobId, name: `job ${index}` }));
  await store.transactions.run(async (tx) => {
    await insertDependents({ ...store, queue, now: () => new Date(AT) }, tx, jobs);
    await store.batches.insert(tx, batch, members);
  });
  return { batch, jobIds, members };
}

/** What ends jobs as a service does, with webhooks. */
function endingOf({ store, queue }: World): EndJobDeps {
  const changes = { publish: () => {}, subscribe: () => () => {} };
  const deps = { ...store, queue, changes, now: () => new Date(AT) };
  const viewOf = () => ({}) as never;
  const viewOfBatch = ({ batchId }: Batch) => ({ batchId }) as never;
  return {
    ...deps,
    endWrites: {
      dependents: dependencyEndWrite(deps, changes, () => {}),
      usage: store.usage.settle,
      events: recordJobEnd({ outbox: store.webhookOutbox, viewOf, viewOfBatch, onOverLimit: () => {} }),
    },
  };
}

const cancelled = (jobId: string): AnyEnd => ({
  queued: { jobId, clientId: 'amy' },
  error: CANCELLED_ON_REQUEST,
});

/** Starts the next job. Returns how it ends. */
async function startNext(world: World, status: 'COMPLETED' | 'FAILED' = 'COMPLETED'): Promise<AnyEnd> {
  const [delivery] = await take(world);
  if (delivery === undefined) throw new Error('No job is queued.');
  const claimed = await claim(world, delivery.jobId);
  // A job that was cancelled while it was released leaves its ticket, which a worker drops.
  if (claimed === undefined) return startNext(world, status);
  const error = { code: 'FFMPEG_FAILED', message: 'It failed.' } as const;
  const outcome = status === 'COMPLETED' ? { status, outputs: [] } : { status, error };
  return { claim: claimed, delivery, outcome, log: '' };
}

const eventsOf = async ({ store }: World, batchId: string) =>
  (await store.webhookOutbox.ofBatch(batchId, { limit: 9 })).map(({ event }) => event);

const byId = (a: { readonly jobId: string }, b: { readonly jobId: string }): number => (a.jobId < b.jobId ? -1 : 1);

/** Batches, their jobs, and their ends. */
export function batchesContract(engine: Engine): void {
  describe(`batches on ${engine.name}`, () => {
    test('a batch has its jobs in the order of the requests, and knows also those that were deleted', async () => {
      const world = await engine.open();
      const { batches, jobs, transactions } = world.store;
      const { batch, jobIds, members } = await submit(world, { callbackUrl: CALLBACK });
      await submit(world);
      const { batchId } = batch;
      expect(await batches.get(batchId)).toEqual(batch);
      expect(await batches.get(uuid())).toBeUndefined();
      expect((await batches.statesOf(batchId)).map(({ jobId }) => jobId)).toEqual(jobIds);
      expect((await jobs.getMany(jobIds)).map(({ jobId, name }) => ({ jobId, name })).toSorted(byId)).toEqual(members);
      const [first = '', ...rest] = jobIds;
      expect(await endAny(endingOf(world), cancelled(first))).toBe(true);
      await transactions.run((tx) => jobs.remove(tx, first));
      const present = await batches.statesOf(batchId);
      expect(present.map(({ jobId }) => jobId)).toEqual(rest);
      const running = await startNext(world);
      if (!('claim' in running)) throw new Error('The next job has not started.');
      await jobs.progress(running.claim, { phase: 'CONVERTING', progress: { percent: 5 } });
      const bytes = expect.any(Number);
      expect(await batches.statesOf(batchId)).toEqual([
        { jobId: rest[0], status: 'PROCESSING', progress: { percent: 5 }, bytes },
        { jobId: rest[1], status: 'PENDING', bytes },
      ]);
      expect(await batches.membersOf(batchId)).toEqual(members);
    });

    test('lists the batches of one client or of all, newest first, with the numbers of their jobs', async () => {
      const world = await engine.open();
      const { batches } = world.store;
      const one = await submit(world);
      const two = await submit(world, { clientId: 'bob' }, 1);
      const three = await submit(world, {}, 2);
      await endAny(endingOf(world), cancelled(one.jobIds[1] ?? ''));
      await startNext(world);
      const none = { PENDING: 0, PROCESSING: 0, COMPLETED: 0, FAILED: 0, CANCELLED: 0 };
      expect(await batches.list({ limit: 9 })).toEqual([
        { ...three.batch, counts: { ...none, PENDING: 2 } },
        { ...two.batch, counts: { ...none, PENDING: 1 } },
        { ...one.batch, counts: { ...none, PENDING: 1, PROCESSING: 1, CANCELLED: 1 } },
      ]);
      const idsOf = async (query: Parameters<typeof batches.list>[0]) =>
        (await batches.list(query)).map(({ batchId }) => batchId);
      expect(await idsOf({ clientId: 'amy', limit: 1 })).toEqual([three.batch.batchId]);
      expect(await idsOf({ clientId: 'amy', limit: 9, before: three.batch.batchId })).toEqual([one.batch.batchId]);
      expect(await idsOf({ clientId: 'eve', limit: 9 })).toEqual([]);
      expect(await batches.countUnfinished(9)).toBe(3);
      expect(await batches.countUnfinished(2)).toBe(2);
      await endAny(endingOf(world), {
        queued: { jobId: two.jobIds[0] ?? '', clientId: 'bob' },
        error: CANCELLED_ON_REQUEST,
      });
      expect(await batches.countUnfinished(9)).toBe(2);
    });

    test('forgets an old batch once all its jobs are deleted', async () => {
      const world = await engine.open();
      const { batches, jobs, transactions } = world.store;
      const { batch, jobIds } = await submit(world, {}, 1);
      const later = new Date(Date.now() + 60_000).toISOString();
      expect(await batches.removeEmptyBefore(later)).toBe(0);
      await endAny(endingOf(world), cancelled(jobIds[0] ?? ''));
      await transactions.run((tx) => jobs.remove(tx, jobIds[0] ?? ''));
      expect(await batches.removeEmptyBefore('2020-01-01T00:00:00.000Z')).toBe(0);
      expect(await batches.removeEmptyBefore(later)).toBe(1);
      expect(await batches.get(batch.batchId)).toBeUndefined();
    });

    test('the end of the last job is the end of the batch, with an event for its callback and for webhooks', async () => {
      const world = await engine.open();
      const { webhookEndpoints, webhookOutbox } = world.store;
      const endpoint = { webhookId: uuid(), clientId: 'amy', url: 'https://example.org', createdAt: AT };
      await webhookEndpoints.add({ ...endpoint, events: ['batch.failed'] }, 'whsec_b25l', 20);
      await webhookEndpoints.add({ ...endpoint, webhookId: uuid(), events: ['batch.completed'] }, 'whsec_b25l', 20);
      const { batch, jobIds } = await submit(world, { callbackUrl: CALLBACK });
      const { batchId } = batch;
      const ending = endingOf(world);
      await endAny(ending, await startNext(world));
      await endAny(ending, cancelled(jobIds[2] ?? ''));
      expect(await eventsOf(world, batchId)).toEqual([]);
      await endAny(ending, await startNext(world, 'FAILED'));
      const deliveries = await webhookOutbox.ofBatch(batchId, { limit: 9 });
      expect(deliveries.map(({ webhookId }) => webhookId)).toEqual([undefined, endpoint.webhookId]);
      for (const each of deliveries) expect(each).toMatchObject({ event: 'batch.failed', batchId, state: 'PENDING' });
      for (const each of deliveries) expect(each).not.toHaveProperty('jobId');
      const [{ name: receiver } = { name: '' }] = await webhookOutbox.receiversAfter('', 9);
      const [claimed] = await webhookOutbox.claim(receiver, 9, 60);
      expect(claimed?.message).toMatchObject({ batchId, event: 'batch.failed' });
      expect(JSON.parse(claimed?.message.payload ?? '')).toEqual({
        type: 'batch.failed',
        timestamp: AT,
        data: { batchId },
      });
    });

    test('ends of jobs do not wait for each other if nobody is told the end of their batch', async () => {
      const world = await engine.open();
      const { transactions, webhookOutbox } = world.store;
      const { batch, jobIds } = await submit(world, {}, 2);
      const ending = endingOf(world);
      const endedBatch = (hasEndpoint: boolean) =>
        transactions.run((tx) => webhookOutbox.endedBatch(tx, batch.batchId, hasEndpoint));
      await transactions.run(async (tx) => {
        expect(await webhookOutbox.endedBatch(tx, batch.batchId, false)).toBeUndefined();
        if (engine.isConcurrent) expect(await endAny(ending, cancelled(jobIds[0] ?? ''))).toBe(true);
      });
      if (!engine.isConcurrent) await endAny(ending, cancelled(jobIds[0] ?? ''));
      expect(await endedBatch(true)).toBeUndefined();
      await endAny(ending, cancelled(jobIds[1] ?? ''));
      expect(await endedBatch(false)).toBeUndefined();
      // Without what can be large.
      const request = { input: 'a.mp4', output: 'b.mp4' };
      const jobs = jobIds.map((jobId, index) => ({
        ...{ jobId, name: `job ${index}`, status: 'CANCELLED', request, error: CANCELLED_ON_REQUEST },
      }));
      expect(await endedBatch(true)).toEqual({ ...batch, jobs });
    });

    test('a deleted job does not keep its batch from ending, and does not count in the event', async () => {
      const world = await engine.open();
      const { jobs, transactions } = world.store;
      const { batch } = await submit(world, { callbackUrl: CALLBACK }, 2);
      const failed = await startNext(world, 'FAILED');
      await endAny(endingOf(world), failed);
      await transactions.run((tx) => jobs.remove(tx, 'claim' in failed ? failed.claim.job.jobId : ''));
      expect(await eventsOf(world, batch.batchId)).toEqual([]);
      await endAny(endingOf(world), await startNext(world));
      expect(await eventsOf(world, batch.batchId)).toEqual(['batch.completed']);
    });

    test('jobs that end at the same time end their batch once', async () => {
      const world = await engine.open();
      const ending = endingOf(world);
      for (let round = 0; round < 5; round += 1) {
        const { batch, jobIds } = await submit(world, { callbackUrl: CALLBACK }, 8);
        const ended = await Promise.all(jobIds.map((jobId) => endAny(ending, cancelled(jobId))));
        expect(ended).toEqual(jobIds.map(() => true));
        expect(await eventsOf(world, batch.batchId)).toEqual(['batch.cancelled']);
      }
    });

    test('a job that ends while one after it is cancelled ends the batch once', async () => {
      const world = await engine.open();
      const ending = endingOf(world);
      for (let round = 0; round < 10; round += 1) {
        const { batch, jobIds } = await submit(world, { callbackUrl: CALLBACK }, 2, true);
        const first = await startNext(world);
        const ended = await Promise.all([endAny(ending, first), endAny(ending, cancelled(jobIds[1] ?? ''))]);
        expect(ended).toEqual([true, true]);
        expect(await eventsOf(world, batch.batchId)).toEqual(['batch.cancelled']);
      }
    });
  });
}
