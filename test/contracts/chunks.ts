import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { ClaimLost } from '../../packages/service/src/jobs/ports/chunk-store.ts';
import type { Claim } from '../../packages/service/src/jobs/ports/job-store.ts';
import { AT, type Engine, mustClaim, submitOne, type World } from './engine.ts';

/** Stores a running job with `count` chunks. */
async function filmOf(
  world: World,
  count: number,
): Promise<{ readonly claim: Claim; readonly ids: readonly string[] }> {
  const jobId = await submitOne(world, 'amy');
  const claim = await mustClaim(world, jobId);
  const chunks = Array.from({ length: count }, (_, place) => ({
    chunkId: uuid(),
    jobId,
    clientId: 'amy',
    place,
    task: JSON.stringify({ place }),
  }));
  await world.store.transactions.run((tx) => world.store.chunks.insert(tx, claim, chunks));
  return { claim, ids: chunks.map(({ chunkId }) => chunkId) };
}

const LOST_SECONDS = 15;

const takeByTicket = ({ store }: World, chunkId = '') =>
  store.transactions.run((tx) => store.chunks.claim(tx, chunkId, 'other'));

export function chunksContract(engine: Engine): void {
  describe(`chunks on ${engine.name}`, () => {
    test('the worker of a job takes its chunks in order, and other workers take them by their tickets', async () => {
      const world = await engine.open();
      const { chunks } = world.store;
      const { claim, ids } = await filmOf(world, 3);
      expect((await takeByTicket(world, ids[0]))?.chunk).toMatchObject({
        place: 0,
        task: '{"place":0}',
        state: 'RUNNING',
      });
      const own = await chunks.claimNext(claim, LOST_SECONDS, 'own');
      expect(own?.chunk.place).toBe(1);
      expect(await takeByTicket(world, ids[1])).toBeUndefined();
      expect((await chunks.list(claim.job.jobId)).map(({ state }) => state)).toEqual(['RUNNING', 'RUNNING', 'READY']);
    });

    test('a chunk that is encoded is not handed out again', async () => {
      const world = await engine.open();
      const { chunks, transactions } = world.store;
      const { claim, ids } = await filmOf(world, 1);
      const first = await takeByTicket(world, ids[0]);
      if (first === undefined) throw new Error('The chunk was not handed out.');
      expect(await chunks.progress(first, 2.5)).toBe(true);
      expect((await chunks.list(claim.job.jobId))[0]?.doneSeconds).toBe(2.5);
      expect(await transactions.run((tx) => chunks.finish(tx, first, 'facts'))).toBe(true);
      expect(await takeByTicket(world, ids[0])).toBeUndefined();
      expect(await chunks.claimNext(claim, LOST_SECONDS, 'own')).toBeUndefined();
      expect(await transactions.run((tx) => chunks.finish(tx, first, 'facts'))).toBe(false);
    });

    test('only the last of two claims of a chunk can finish it', async () => {
      const world = await engine.open();
      const { chunks, transactions } = world.store;
      const { claim, ids } = await filmOf(world, 1);
      const first = await takeByTicket(world, ids[0]);
      const second = await takeByTicket(world, ids[0]);
      if (first === undefined || second === undefined) throw new Error('The chunk was not handed out.');
      expect(second.fence).toBe(first.fence + 1);
      expect(await chunks.progress(first, 1)).toBe(false);
      expect(await transactions.run((tx) => chunks.finish(tx, first, 'facts'))).toBe(false);
      expect(await transactions.run((tx) => chunks.finish(tx, second, 'facts'))).toBe(true);
      expect((await chunks.list(claim.job.jobId))[0]).toMatchObject({
        state: 'DONE',
        fence: second.fence,
        facts: 'facts',
      });
    });

    test('the next worker of a job takes over the chunks of the last one, and of a worker that is silent', async () => {
      const world = await engine.open();
      const { chunks } = world.store;
      const { claim, ids } = await filmOf(world, 2);
      await chunks.claimNext(claim, LOST_SECONDS, 'own');
      await takeByTicket(world, ids[1]);
      expect(await chunks.claimNext(claim, LOST_SECONDS, 'own')).toBeUndefined();
      const next = await mustClaim(world, claim.job.jobId);
      expect((await chunks.claimNext(next, LOST_SECONDS, 'next'))?.chunk.place).toBe(0);
      expect(await chunks.claimNext(next, LOST_SECONDS, 'next')).toBeUndefined();
      // Less than no time: every worker counts as silent.
      expect((await chunks.claimNext(next, -60, 'next'))?.chunk).toBeDefined();
    });

    test('a chunk of a job that is cancelled, ended or gone is not handed out', async () => {
      const world = await engine.open();
      const { jobs, transactions } = world.store;
      const { claim, ids } = await filmOf(world, 1);
      await transactions.run((tx) => jobs.requestCancel(tx, [claim.job.jobId], AT));
      expect(await takeByTicket(world, ids[0])).toBeUndefined();
      expect(await takeByTicket(world, uuid())).toBeUndefined();
    });

    test('a worker learns that the job of its chunk has ended', async () => {
      const world = await engine.open();
      const { chunks, jobs, transactions } = world.store;
      const { claim, ids } = await filmOf(world, 1);
      const first = await takeByTicket(world, ids[0]);
      if (first === undefined) throw new Error('The chunk was not handed out.');
      expect(await chunks.progress(first, 1)).toBe(true);
      const error = { code: 'FFMPEG_FAILED', message: 'The encoder failed.' } as const;
      await transactions.run((tx) => jobs.end(tx, claim, { status: 'FAILED', error }, AT, ''));
      expect(await chunks.progress(first, 2)).toBe(false);
      expect(await takeByTicket(world, ids[0])).toBeUndefined();
    });

    test('a worker stops to encode a chunk of a job that is asked to stop', async () => {
      const world = await engine.open();
      const { chunks, jobs, transactions } = world.store;
      const { claim, ids } = await filmOf(world, 1);
      const taken = await takeByTicket(world, ids[0]);
      if (taken === undefined) throw new Error('The chunk was not handed out.');
      expect(await chunks.progress(taken, 1)).toBe(true);
      await transactions.run((tx) => jobs.requestCancel(tx, [claim.job.jobId], AT));
      expect(await chunks.progress(taken, 2)).toBe(false);
    });

    test('a chunk that is given back is free, and one that failed says why', async () => {
      const world = await engine.open();
      const { chunks, transactions } = world.store;
      const { claim, ids } = await filmOf(world, 1);
      const own = await chunks.claimNext(claim, LOST_SECONDS, 'own');
      if (own === undefined) throw new Error('The chunk was not handed out.');
      expect(await transactions.run((tx) => chunks.giveBack(tx, own))).toBe(true);
      const other = await takeByTicket(world, ids[0]);
      if (other === undefined) throw new Error('The chunk was not handed out again.');
      const error = { code: 'FFMPEG_FAILED', message: 'The encoder failed.' } as const;
      expect(await transactions.run((tx) => chunks.fail(tx, other, error))).toBe(true);
      expect((await chunks.list(claim.job.jobId))[0]).toMatchObject({ state: 'FAILED', error });
      expect((await chunks.claimNext(claim, LOST_SECONDS, 'own'))?.chunk.place, 'the worker of the job tries too').toBe(
        0,
      );
    });

    test('a repeated job takes over what is encoded, and the rest is free', async () => {
      const world = await engine.open();
      const { chunks, jobs, transactions } = world.store;
      const { claim, ids } = await filmOf(world, 2);
      const { jobId } = claim.job;
      const done = await takeByTicket(world, ids[0]);
      if (done === undefined) throw new Error('The chunk was not handed out.');
      await transactions.run((tx) => chunks.finish(tx, done, 'facts'));
      await chunks.claimNext(claim, LOST_SECONDS, 'own');
      const again = await mustClaim(world, await submitOne(world, 'amy'));
      expect(await transactions.run((tx) => chunks.adopt(tx, jobId, again)), 'of a running job').toBe(0);
      const error = { code: 'FFMPEG_FAILED', message: 'The encoder failed.' } as const;
      await transactions.run((tx) => jobs.end(tx, claim, { status: 'FAILED', error }, AT, ''));
      expect(await transactions.run((tx) => chunks.adopt(tx, jobId, again))).toBe(2);
      expect((await chunks.list(again.job.jobId)).map(({ state }) => state)).toEqual(['DONE', 'READY']);
      expect(await chunks.list(jobId)).toEqual([]);
    });

    test('the chunks of a job that ended long ago are found and removed', async () => {
      const world = await engine.open();
      const { chunks, jobs, transactions } = world.store;
      const { claim } = await filmOf(world, 1);
      const { jobId } = claim.job;
      const after = '2026-11-21T10:00:00.000Z';
      expect(await chunks.ofEndedJobs(after)).toEqual([]);
      const error = { code: 'FFMPEG_FAILED', message: 'The encoder failed.' } as const;
      await transactions.run((tx) => jobs.end(tx, claim, { status: 'FAILED', error }, AT, ''));
      expect(await chunks.ofEndedJobs(AT)).toEqual([]);
      expect(await chunks.ofEndedJobs(after)).toEqual([jobId]);
      expect(await chunks.remove(jobId, claim), 'by a claim that is over').toEqual([]);
      expect(await chunks.remove(jobId)).toEqual([{ chunkId: expect.any(String), fence: 0 }]);
      expect(await chunks.list(jobId)).toEqual([]);
    });

    test('what is neither encoded nor held is taken out, to be stored with new ids', async () => {
      const world = await engine.open();
      const { chunks, transactions } = world.store;
      const { claim, ids } = await filmOf(world, 3);
      const done = await takeByTicket(world, ids[0]);
      if (done === undefined) throw new Error('The chunk was not handed out.');
      await transactions.run((tx) => chunks.finish(tx, done, 'facts'));
      await takeByTicket(world, ids[1]);
      const next = await mustClaim(world, claim.job.jobId);
      expect(await transactions.run((tx) => chunks.takeFree(tx, claim)), 'by an old claim').toEqual([]);
      expect(await transactions.run((tx) => chunks.takeFree(tx, next))).toEqual([{ task: '{"place":2}', place: 2 }]);
      const again = {
        chunkId: uuid(),
        jobId: claim.job.jobId,
        clientId: 'amy',
        place: 2,
        task: '{}',
      };
      await expect(transactions.run((tx) => chunks.insert(tx, claim, [again]))).rejects.toThrow(ClaimLost);
      await transactions.run((tx) => chunks.insert(tx, next, [again]));
      await transactions.run((tx) => chunks.reopen(tx, next, ids[0] ?? ''));
      expect((await chunks.list(claim.job.jobId)).map(({ state }) => state)).toEqual(['READY', 'RUNNING', 'READY']);
    });

    test('a chunk whose file is gone is encoded again, by the worker of the job', async () => {
      const world = await engine.open();
      const { chunks, transactions } = world.store;
      const { claim, ids } = await filmOf(world, 2);
      const done = await takeByTicket(world, ids[0]);
      if (done === undefined) throw new Error('The chunk was not handed out.');
      await transactions.run((tx) => chunks.finish(tx, done, 'facts'));
      await transactions.run((tx) => chunks.reopen(tx, claim, ids[0] ?? ''));
      const [open] = await chunks.list(claim.job.jobId);
      expect(open).toMatchObject({ state: 'READY', doneSeconds: 0 });
      expect(open).not.toHaveProperty('facts');
      const again = await chunks.claimNext(claim, LOST_SECONDS, 'own');
      expect(again).toMatchObject({ fence: done.fence + 1, chunk: { chunkId: ids[0] } });
      const next = await mustClaim(world, claim.job.jobId);
      if (again !== undefined) await transactions.run((tx) => chunks.finish(tx, again, 'facts'));
      await transactions.run((tx) => chunks.reopen(tx, claim, ids[0] ?? ''));
      expect((await chunks.list(next.job.jobId))[0]?.state, 'by a claim that is over').toBe('DONE');
    });
  });
}
