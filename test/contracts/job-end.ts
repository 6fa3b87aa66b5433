import { describe, expect, test } from 'vitest';
import { CANCELLED_ON_REQUEST, endJob, type JobToEnd } from '../../src/jobs/end-job.ts';
import type { JobEnd, JobEndWrite } from '../../src/jobs/ports/job-end.ts';
import type { Tx } from '../../src/jobs/ports/transactions.ts';
import { AT, type Engine, mustClaim, submitOne, take, type World } from './engine.ts';

const end = ({ store, queue }: World, job: JobToEnd, ...endWrites: readonly JobEndWrite[]): Promise<boolean> =>
  endJob({ ...store, queue, changes: { publish: () => {} }, now: () => new Date(AT), endWrites }, job);

/** A write that stores something in the transaction: an idempotency key, named after the job. */
const storeKey =
  ({ store }: World): JobEndWrite =>
  async (tx, { jobId, clientId, at }) => {
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
      const record: JobEndWrite = async (_tx: Tx, of) => void ends.push(of);
      expect(await end(world, running, record, storeKey(world))).toBe(true);
      expect(await end(world, { queued: cancelled, error: CANCELLED_ON_REQUEST }, record, storeKey(world))).toBe(true);
      const { jobId = '' } = ends[0] ?? {};
      expect(ends).toEqual([
        { jobId, clientId: 'amy', status: 'COMPLETED', at: AT },
        { ...cancelled, status: 'CANCELLED', at: AT },
      ]);
      expect(await hasKey(world, jobId)).toBe(true);
      expect(await hasKey(world, cancelled.jobId)).toBe(true);
    });

    test('a job whose write fails does not end, and the other writes are undone', async () => {
      const world = await engine.open();
      const queued = { jobId: await submitOne(world), clientId: 'amy' };
      const fail: JobEndWrite = async () => {
        throw new Error('full');
      };
      const ending = end(world, { queued, error: CANCELLED_ON_REQUEST }, storeKey(world), fail);
      await expect(ending).rejects.toThrow('full');
      expect(await world.store.jobs.get(queued.jobId)).toMatchObject({ status: 'PENDING' });
      expect(await hasKey(world, queued.jobId)).toBe(false);
    });

    test('a job that another worker has claimed writes nothing', async () => {
      const world = await engine.open();
      const lost = await complete(world);
      if (!('claim' in lost)) throw new Error('Not a running job.');
      const { jobId } = lost.claim.job;
      await mustClaim(world, jobId);
      expect(await end(world, lost, storeKey(world))).toBe(false);
      expect(await hasKey(world, jobId)).toBe(false);
    });
  });
}
