import { describe, expect, test } from 'vitest';
import { allOutputs } from '../../packages/contract/src/domain/all-outputs.ts';
import { FIRST_LISTED } from '../../packages/contract/src/domain/analysis.ts';
import { FIRST_OUTPUTS, type JobOutput } from '../../packages/contract/src/domain/job.ts';
import { jobView } from '../../packages/contract/src/wire/job-view.ts';
import {
  CANCELLED_ON_REQUEST,
  type EndWrites,
  endJob,
  endQueued,
  type JobToEnd,
} from '../../packages/service/src/jobs/end-job.ts';
import type { JobEnd, JobEndWrite } from '../../packages/service/src/jobs/ports/job-store.ts';
import type { Tx } from '../../packages/service/src/jobs/ports/transactions.ts';
import { dbOf } from '../../packages/service/src/store/transaction/database.ts';
import { AT, type Engine, mustClaim, submitMany, submitOne, take, type World } from './engine.ts';

const depsOf = ({ store, queue }: World, endWrites: EndWrites = {}) => ({
  ...{ ...store, queue, endWrites },
  changes: { publish: () => {} },
  now: () => new Date(AT),
});
const end = (world: World, job: JobToEnd, endWrites?: EndWrites): Promise<boolean> =>
  endJob(depsOf(world, endWrites), job);
const cancel = (world: World, jobIds: readonly string[], endWrites?: EndWrites) =>
  endQueued(
    depsOf(world, endWrites),
    jobIds.map((jobId) => ({ jobId })),
    CANCELLED_ON_REQUEST,
  );

/** A write that stores something in the transaction: an idempotency key, named after the job. */
const storeKey =
  ({ store }: World): JobEndWrite =>
  async (tx, ends) => {
    for (const { jobId, clientId, at } of ends)
      await store.idempotency.insert(tx, { clientId, key: jobId, bodyHash: '', jobId, at }, AT);
  };
const hasKey = async ({ store }: World, jobId: string): Promise<boolean> =>
  (await store.idempotency.find('amy', jobId, AT)) !== undefined;

const complete = async (world: World): Promise<JobToEnd> => {
  const jobId = await submitOne(world);
  const [delivery] = await take(world);
  if (delivery === undefined) throw new Error('No ticket was taken.');
  const claim = await mustClaim(world, jobId);
  return { claim, delivery, outcome: { status: 'COMPLETED', outputs: [] }, log: '' };
};

export function jobEndContract(engine: Engine): void {
  describe(`the end of a job on ${engine.name}`, () => {
    test('each write learns which job ended, how and when', async () => {
      const world = await engine.open();
      const running = await complete(world);
      const cancelled = { jobId: await submitOne(world), clientId: 'amy' };
      const ends: JobEnd[] = [];
      const record: JobEndWrite = async (_tx: Tx, of) => void ends.push(...of);
      expect(await end(world, running, { usage: record, events: storeKey(world) })).toBe(true);
      expect(await cancel(world, [cancelled.jobId], { usage: record, events: storeKey(world) })).toHaveLength(1);
      const { jobId = '' } = ends[0] ?? {};
      expect(ends).toEqual([
        { jobId, clientId: 'amy', status: 'COMPLETED', at: AT, outputs: [] },
        { ...cancelled, status: 'CANCELLED', at: AT, error: CANCELLED_ON_REQUEST },
      ]);
      expect(await hasKey(world, jobId)).toBe(true);
      expect(await hasKey(world, cancelled.jobId)).toBe(true);
    });

    test('queued jobs that end together leave the queue at once, and only those that are still queued', async () => {
      const world = await engine.open();
      const running = await complete(world);
      const amys = await submitMany(world, 'amy', 3);
      const bobs = await submitMany(world, 'bob', 2);
      const kept = await submitOne(world);
      const ended = await cancel(world, [...amys, running.claim.job.jobId, ...bobs, 'unknown']);
      expect(ended.map(({ jobId }) => jobId).toSorted()).toEqual([...amys, ...bobs].toSorted());
      expect(await cancel(world, amys)).toEqual([]);
      expect((await take(world, 9)).map(({ jobId }) => jobId)).toEqual([kept]);
      expect(await world.queue.hasTickets()).toBe(false);
      expect(await end(world, running)).toBe(true);
    });

    test('events are stored last, because they lock the batch of the job', async () => {
      const world = await engine.open();
      const order: string[] = [];
      const write =
        (name: string): JobEndWrite =>
        async () =>
          void order.push(name);
      const writes = { events: write('events'), usage: write('usage'), dependents: write('dependents') };
      expect(await end(world, await complete(world), writes)).toBe(true);
      expect(order).toEqual(['dependents', 'usage', 'events']);
    });

    test('a job whose write fails does not end, and the other writes are undone', async () => {
      const world = await engine.open();
      const queued = { jobId: await submitOne(world), clientId: 'amy' };
      const fail: JobEndWrite = async () => {
        throw new Error('full');
      };
      const ending = cancel(world, [queued.jobId], { usage: storeKey(world), events: fail });
      await expect(ending).rejects.toThrow('full');
      expect(await world.store.jobs.get(queued.jobId)).toMatchObject({ status: 'PENDING' });
      expect(await hasKey(world, queued.jobId)).toBe(false);
    });

    test('a job that another worker has claimed writes nothing', async () => {
      const world = await engine.open();
      const lost = await complete(world);
      const { jobId } = lost.claim.job;
      await mustClaim(world, jobId);
      expect(await end(world, lost, { events: storeKey(world) })).toBe(false);
      expect(await hasKey(world, jobId)).toBe(false);
    });

    describe('with a list of thousands of measured parts', () => {
      const COUNT = 4321;
      const intervals = Array.from({ length: COUNT }, (_, i) => ({ start: i, end: i + 0.5 }));
      const at = Array.from({ length: 1200 }, (_, i) => i);
      const measurements = {
        silence: { count: COUNT, totalSeconds: COUNT / 2, intervals },
        keyframes: { count: 1200, meanSpacing: 1, maxSpacing: 1, at },
        crop: null,
      };
      const completeLong = async (world: World): Promise<string> => {
        const job = await complete(world);
        await end(world, { ...job, outcome: { status: 'COMPLETED', outputs: [], measurements } });
        return job.claim.job.jobId;
      };

      test('its record has the first ones, and all can be read, from any place on', async () => {
        const world = await engine.open();
        const jobId = await completeLong(world);
        const job = await world.store.jobs.get(jobId);
        expect(job?.measurements).toEqual({
          silence: { ...measurements.silence, intervals: intervals.slice(0, FIRST_LISTED) },
          keyframes: { ...measurements.keyframes, at: at.slice(0, FIRST_LISTED) },
          crop: null,
        });
        expect(job && jobView(job).measurements?.silence?.nextCursor).toBeDefined();
        for (const [first, count] of [
          [0, COUNT],
          [0, 1],
          [999, 2],
          [1000, 1000],
          [1500, 5000],
          [COUNT - 1, 10],
          [COUNT, 10],
        ] as const)
          expect(await world.store.jobs.measured(jobId, 'silence', first, count), `${first}`).toEqual(
            intervals.slice(first, first + count),
          );
        expect(await world.store.jobs.measured(jobId, 'keyframes', 990, 500)).toEqual(at.slice(990));
        expect(await world.store.jobs.measured(jobId, 'black', 0, 10)).toEqual([]);
        expect(await world.store.jobs.measured('unknown', 'silence', 0, 10)).toEqual([]);
      });

      test('the others are deleted with the job', async () => {
        const world = await engine.open();
        const { jobs, transactions } = world.store;
        const rows = () => transactions.run((tx) => dbOf(tx).selectFrom('job_measurements').select('first').execute());
        const jobId = await completeLong(world);
        expect(await rows()).toHaveLength(5);
        await transactions.run((tx) => jobs.remove(tx, jobId));
        expect(await rows()).toEqual([]);
      });
    });

    describe('with thousands of outputs', () => {
      const COUNT = 9883;
      const outputs = Array.from({ length: COUNT }, (_, i) => ({
        path: `hls/segment-${i}.ts`,
        sizeBytes: i,
        fingerprint: `${i}`,
      }));
      const completeMany = async (world: World): Promise<string> => {
        const job = await complete(world);
        await end(world, { ...job, outcome: { status: 'COMPLETED', outputs } });
        return job.claim.job.jobId;
      };

      test('its record and its view have the first ones and the number of all', async () => {
        const world = await engine.open();
        const jobId = await completeMany(world);
        const job = await world.store.jobs.get(jobId);
        expect(job?.outputs).toEqual(outputs.slice(0, FIRST_OUTPUTS));
        expect(job?.outputCount).toBe(COUNT);
        expect((await world.store.jobs.getMany([jobId]))[0]).toEqual(job);
        const view = job && jobView(job);
        expect(view).toMatchObject({ outputCount: COUNT, links: { outputs: `/api/conversion/${jobId}/outputs` } });
        expect(JSON.stringify(view).length).toBeLessThan(16 * 1024);
        const [size] = await world.store.jobs.sizes({ limit: 1 });
        expect(size?.bytes).toBeLessThan(16 * 1024);
      });

      test('all outputs can be read, from any place on', async () => {
        const { store, ...world } = await engine.open();
        const jobId = await completeMany({ store, ...world });
        expect(await store.jobs.outputs(jobId, 0, COUNT)).toEqual(outputs);
        for (const [first, count] of [
          [0, 1],
          [0, 100],
          [99, 2],
          [100, 100],
          [150, 1000],
          [COUNT - 1, 10],
          [COUNT, 10],
        ] as const)
          expect(await store.jobs.outputs(jobId, first, count), `${first}`).toEqual(
            outputs.slice(first, first + count),
          );
        expect(await store.jobs.outputs('unknown', 0, 10)).toEqual([]);
        const job = await store.jobs.get(jobId);
        const parts: (readonly JobOutput[])[] = [];
        for await (const part of allOutputs(store.jobs.outputs, job ?? { jobId })) parts.push(part);
        expect(parts.flat()).toEqual(outputs);
        expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(1000);
      });

      test('one output is found by its path, and few others are read', async () => {
        const world = await engine.open();
        const { jobs, transactions } = world.store;
        const jobId = await completeMany(world);
        for (const index of [FIRST_OUTPUTS, 199, 200, 1000, 5555, COUNT - 1]) {
          const near = await jobs.outputsNear(jobId, outputs[index]?.path ?? '');
          expect(near, `${index}`).toContainEqual(outputs[index]);
          // Numbers without zeros make some parts wide: "9" sorts after "1000".
          expect(near.length, `${index}`).toBeLessThanOrEqual(400);
        }
        for (const path of ['', 'hls/segment-0.ts', 'hls/segment-9999.ts', 'other', '\u{10ffff}'])
          expect(await jobs.outputsNear(jobId, path), path).not.toContainEqual(expect.objectContaining({ path }));
        expect(await jobs.outputsNear('unknown', 'hls/segment-500.ts')).toEqual([]);
        // An earlier version stores no paths of the parts.
        const bounds = { lowest_path: '', highest_path: '\u{10ffff}' };
        await transactions.run((tx) => dbOf(tx).updateTable('job_outputs').set(bounds).execute());
        expect(await jobs.outputsNear(jobId, 'hls/segment-5555.ts')).toContainEqual(outputs[5555]);
      });

      test('they are deleted with the job, also by a service of an earlier version', async () => {
        const world = await engine.open();
        const { jobs, transactions } = world.store;
        const rows = () => transactions.run((tx) => dbOf(tx).selectFrom('job_outputs').select('first').execute());
        const removals = [
          (jobId: string) => transactions.run((tx) => jobs.remove(tx, jobId)),
          () => jobs.removeFinishedBefore('2100-01-01T00:00:00.000Z'),
          // Earlier versions do not know the table.
          (jobId: string) =>
            transactions.run((tx) => dbOf(tx).deleteFrom('jobs').where('job_id', '=', jobId).execute()),
        ];
        for (const remove of removals) {
          const jobId = await completeMany(world);
          expect(await rows()).toHaveLength(98);
          await remove(jobId);
          expect(await rows()).toEqual([]);
        }
      });
    });
  });
}
