import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import {
  afterNumber,
  type ChangePosition,
  type ReadPosition,
} from '../../packages/service/src/jobs/ports/job-records.ts';
import type { JobOutcome } from '../../packages/service/src/jobs/ports/job-store.ts';
import { AT, type Engine, holdOpen, mustClaim, REQUEST, submitMany, submitOne, type World } from './engine.ts';

const START = afterNumber(0);
const FAR = '2100-01-01T00:00:00.000Z';
const COMPLETED: JobOutcome = { status: 'COMPLETED', outputs: [{ path: 'out.mp4', sizeBytes: 7 }] };
const CANCELLED = { code: 'CANCELLED', message: 'The job was cancelled.' } as const;

const cancelPending = ({ store }: World, jobId: string) =>
  store.transactions.run((tx) => store.jobs.endPending(tx, [jobId], 'CANCELLED', CANCELLED, AT));
const remove = ({ store }: World, jobId: string) => store.transactions.run((tx) => store.jobs.remove(tx, jobId));

/** The ids of the jobs that changed after a position, each with `-` if it was deleted. */
const changedAfter = async ({ store }: World, position: ChangePosition = START): Promise<string[]> =>
  (await store.changeLog.after(position, 1000)).changes.map(({ jobId, isDeleted }) =>
    isDeleted ? `-${jobId}` : jobId,
  );

/** The number of the last change. It must be higher than `earlier`. */
const higherThan = async ({ store }: World, earlier: number): Promise<number> => {
  const last = await store.changeLog.last();
  expect(last).toBeGreaterThan(earlier);
  return last;
};

export function changeLogContract(engine: Engine): void {
  describe(`numbers of changes on ${engine.name}`, () => {
    test('each change of a job gives it a higher number; progress and phase do not', async () => {
      const world = await engine.open();
      const { store } = world;
      expect(await store.changeLog.last()).toBe(0);
      const jobId = await submitOne(world);
      let last = await higherThan(world, 0);
      const claim = await mustClaim(world, jobId);
      last = await higherThan(world, last);
      await store.jobs.progress(claim, { phase: 'CONVERTING', progress: { percent: 5 } });
      expect(await store.changeLog.last()).toBe(last);
      await store.transactions.run((tx) => store.jobs.requestCancel(tx, [jobId], AT));
      last = await higherThan(world, last);
      await store.transactions.run((tx) => store.jobs.requeue(tx, claim, { keepAttempt: false }));
      last = await higherThan(world, last);
      const again = await mustClaim(world, jobId);
      last = await higherThan(world, last);
      await store.transactions.run((tx) => store.jobs.end(tx, again, COMPLETED, AT, ''));
      last = await higherThan(world, last);
      expect(await store.changeLog.of(jobId)).toEqual({ number: last, jobId, clientId: 'amy', isDeleted: false });
      await remove(world, jobId);
      last = await higherThan(world, last);
      expect(await store.changeLog.of(jobId)).toEqual({ number: last, jobId, clientId: 'amy', isDeleted: true });
      expect(await store.changeLog.of(uuid())).toBeUndefined();
    });

    test('a reader sees each job that changed after its position once, in the order of the last changes', async () => {
      const world = await engine.open();
      const first = await submitOne(world, 'amy');
      const second = await submitOne(world, 'bob');
      const third = await submitOne(world, 'amy');
      expect(await changedAfter(world)).toEqual([first, second, third]);
      const position = afterNumber(await world.store.changeLog.last());
      expect(await changedAfter(world, position)).toEqual([]);
      await cancelPending(world, third);
      await cancelPending(world, first);
      await remove(world, first);
      expect(await changedAfter(world, position)).toEqual([third, `-${first}`]);
      expect(await changedAfter(world)).toEqual([second, third, `-${first}`]);
    });

    test('a reader can read in pages of any size, also within one transaction', async () => {
      const world = await engine.open();
      const ids = [...(await submitMany(world, 'amy', 7)), ...(await submitMany(world, 'amy', 4))];
      for (const limit of [1, 3, 11, 20]) {
        const seen: string[] = [];
        let position: ChangePosition = START;
        for (let more = true; more; ) {
          const page = await world.store.changeLog.after(position, limit);
          seen.push(...page.changes.map(({ jobId }) => jobId));
          position = page.changes.at(-1) ?? position;
          more = page.changes.length > 0;
        }
        expect(seen.toSorted()).toEqual(ids.toSorted());
      }
    });

    test('a change whose transaction began before that of a visible one, and commits later, is not missed', async ({
      skip,
    }) => {
      if (!engine.isConcurrent) skip('transactions run one after the other');
      const world = await engine.open();
      const { store } = world;
      const early = uuid();
      const commit = await holdOpen(world, (tx) =>
        store.jobs.insert(tx, [
          {
            jobId: early,
            clientId: 'amy',
            request: JSON.stringify(REQUEST),
            createdAt: AT,
            ...ORDINARY,
          },
        ]),
      );
      // Not through `insertJobs`, which waits for other submissions of the client.
      const late = await submitOne(world, 'bob');
      const before = await store.changeLog.after(START, 10);
      const last = await store.changeLog.last();
      await commit();
      expect(before).toEqual({ changes: [], hasMore: true });
      expect(last).toBe(0);
      expect(await changedAfter(world, afterNumber(last))).toEqual([early, late]);
      expect((await store.changeLog.after(START, 10)).hasMore).toBe(false);
    });

    test('a reader that does not wait for open transactions reads each change, in pages of any size', async () => {
      const world = await engine.open();
      const ids = [...(await submitMany(world, 'amy', 7)), ...(await submitMany(world, 'amy', 4))];
      const [gone = '', ...others] = ids;
      await cancelPending(world, gone);
      await remove(world, gone);
      for (const limit of [1, 3, 11, 20]) {
        const seen: string[] = [];
        for (let read: ReadPosition = { ...START, open: [] }; ; ) {
          const page = await world.store.changeLog.unread(read, limit);
          if (page.changes.length === 0) break;
          seen.push(...page.changes.map(({ jobId, isDeleted }) => (isDeleted ? `-${jobId}` : jobId)));
          read = page.read;
        }
        expect(seen.toSorted()).toEqual([...others, `-${gone}`].toSorted());
      }
    });

    test('a reader that does not wait reads the changes of each transaction that was open and has ended', async () => {
      const world = await engine.open();
      const { changeLog } = world.store;
      const ids = [];
      for (let count = 0; count < 5; count += 1) ids.push(await submitOne(world));
      const [, second = '', third = '', , fifth = ''] = ids;
      const numberOf = async (jobId: string): Promise<number> => (await changeLog.of(jobId))?.number ?? 0;
      const [early, late] = [await numberOf(second), await numberOf(third)];
      const end = { number: await numberOf(fifth), jobId: fifth };
      for (const limit of [1, 2, 3]) {
        const seen: string[] = [];
        const open = [late, early].map((number) => ({ number, jobId: '' }));
        for (let read: ReadPosition = { ...end, open }; ; ) {
          const page = await changeLog.unread(read, limit);
          if (page.changes.length === 0) break;
          seen.push(...page.changes.map(({ jobId }) => jobId));
          read = page.read;
        }
        expect(seen).toEqual([second, third]);
      }
    });

    test('a reader that does not wait reads the changes of an open transaction once, after its commit', async ({
      skip,
    }) => {
      if (!engine.isConcurrent) skip('transactions run one after the other');
      const world = await engine.open();
      const { store } = world;
      const before = await submitMany(world, 'amy', 5);
      const first = await store.changeLog.unread({ ...START, open: [] }, 10);
      const commit = await holdOpen(world, async (tx) => {
        for (const jobId of before) await store.jobs.endPending(tx, [jobId], 'CANCELLED', CANCELLED, AT);
      });
      const late = await submitOne(world, 'bob');
      const second = await store.changeLog.unread(first.read, 10);
      const third = await store.changeLog.unread(second.read, 10);
      await commit();
      const later = await submitOne(world, 'bob');
      const rest: string[] = [];
      for (let { read } = second; ; ) {
        const page = await store.changeLog.unread(read, 2);
        if (page.changes.length === 0) break;
        rest.push(...page.changes.map(({ jobId }) => jobId));
        read = page.read;
      }
      expect(first.changes.map(({ jobId }) => jobId).toSorted()).toEqual(before.toSorted());
      expect(second.changes.map(({ jobId }) => jobId)).toEqual([late]);
      expect(third.changes).toEqual([]);
      expect(rest).toEqual([...before.toSorted(), later]);
    });

    test('a deletion is forgotten after a time; from then on, earlier numbers are not known to be complete', async () => {
      const world = await engine.open();
      const { changeLog } = world.store;
      const jobId = await submitOne(world);
      await cancelPending(world, jobId);
      const before = await changeLog.last();
      await remove(world, jobId);
      const deletion = await changeLog.last();
      await submitOne(world);
      expect(await changeLog.forgetDeletedBefore('2000-01-01T00:00:00.000Z')).toBe(0);
      for (const number of [0, before, deletion]) expect(await changeLog.isKnownSince(number)).toBe(true);
      expect(await changeLog.forgetDeletedBefore(FAR)).toBe(1);
      expect(await changeLog.isKnownSince(before)).toBe(false);
      expect(await changeLog.isKnownSince(deletion)).toBe(true);
      expect(await changeLog.isKnownSince(deletion + 1_000_000)).toBe(false);
      expect(await changeLog.of(jobId)).toBeUndefined();
    });

    test('a reader that begins after deletions were forgotten can continue later', async () => {
      const world = await engine.open();
      const { changeLog } = world.store;
      await submitOne(world);
      const jobId = await submitOne(world);
      await cancelPending(world, jobId);
      await remove(world, jobId);
      expect(await changeLog.forgetDeletedBefore(FAR)).toBe(1);
      expect(await changeLog.isKnownSince(await changeLog.last())).toBe(true);
    });

    test('a policy that deletes old jobs leaves their deletions for readers', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      await cancelPending(world, jobId);
      const position = afterNumber(await world.store.changeLog.last());
      expect(await world.store.jobs.removeFinishedBefore(FAR)).toBe(1);
      expect(await changedAfter(world, position)).toEqual([`-${jobId}`]);
    });
  });
}
