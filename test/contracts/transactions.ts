import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import type { Tx } from '../../packages/service/src/jobs/ports/transactions.ts';
import { dbOf } from '../../packages/service/src/store/transaction/database.ts';
import { AT, type Engine, REQUEST, type World } from './engine.ts';

const insert = ({ store }: World, tx: Tx, jobId: string): Promise<void> =>
  store.jobs.insert(tx, [{ jobId, clientId: 'amy', request: JSON.stringify(REQUEST), createdAt: AT, ...ORDINARY }]);

export function transactionsContract(engine: Engine): void {
  describe(`transactions on ${engine.name}`, () => {
    test('each caller gets the result or the error of its own transaction', async () => {
      const { store } = await engine.open();
      const error = new Error('mine');
      const results = await Promise.allSettled([
        store.transactions.run(async () => 1),
        store.transactions.run(async () => {
          throw error;
        }),
        store.transactions.run(async () => 3),
      ]);
      expect(results).toEqual([
        { status: 'fulfilled', value: 1 },
        { status: 'rejected', reason: error },
        { status: 'fulfilled', value: 3 },
      ]);
    });

    test('a transaction that throws is rolled back alone', async () => {
      const world = await engine.open();
      const [before, failing, after] = [uuid(), uuid(), uuid()];
      await Promise.allSettled([
        world.store.transactions.run((tx) => insert(world, tx, before)),
        world.store.transactions.run(async (tx) => {
          await insert(world, tx, failing);
          throw new Error('no');
        }),
        world.store.transactions.run((tx) => insert(world, tx, after)),
      ]);
      expect((await world.store.jobs.list({ limit: 9 })).map((job) => job.jobId)).toEqual([after, before]);
    });

    test('a transaction whose write fails is rolled back alone', async () => {
      const world = await engine.open();
      const [twice, other] = [uuid(), uuid()];
      const results = await Promise.allSettled([
        world.store.transactions.run((tx) => insert(world, tx, twice)),
        world.store.transactions.run(async (tx) => {
          await insert(world, tx, other);
          await insert(world, tx, twice);
        }),
      ]);
      // Either may run first. The second insert of the job fails, and takes the other job of its transaction with it.
      expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
      const [first] = results;
      expect((await world.store.jobs.get(other)) === undefined).toBe(first?.status === 'fulfilled');
      expect(await world.store.jobs.get(twice)).toBeDefined();
    });

    test('reads neither see nor wait for an open transaction', async () => {
      const world = await engine.open();
      const jobId = uuid();
      const { promise: continued, resolve: continueUnit } = Promise.withResolvers<void>();
      const { promise: inserted, resolve: hasInserted } = Promise.withResolvers<void>();
      const unit = world.store.transactions.run(async (tx) => {
        await insert(world, tx, jobId);
        hasInserted();
        await continued;
      });
      await inserted;
      expect(await world.store.jobs.get(jobId)).toBeUndefined();
      expect(await world.store.jobs.list({ limit: 9 })).toEqual([]);
      continueUnit();
      await unit;
      expect(await world.store.jobs.get(jobId)).toBeDefined();
    });

    test('a transaction sees the writes of those before it', async () => {
      const world = await engine.open();
      const seen: number[] = [];
      for (let i = 0; i < 20; i++)
        await world.store.transactions.run(async (tx) => {
          await insert(world, tx, uuid());
          seen.push((await dbOf(tx).selectFrom('jobs').select('job_id').execute()).length);
        });
      expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    });

    test('a transaction cannot be used after its end', async () => {
      const world = await engine.open();
      const ended: Tx[] = [];
      await world.store.transactions.run(async (tx) => void ended.push(tx));
      const [late] = ended;
      if (late === undefined) throw new Error('The unit did not run.');
      await expect(insert(world, late, uuid())).rejects.toThrow('This transaction has ended');
    });

    test('closing finishes queued transactions and rejects later ones', async () => {
      const { store } = await engine.open();
      const queued = store.transactions.run(async () => 'done');
      const closed = store.close();
      await expect(queued).resolves.toBe('done');
      await closed;
      await expect(store.transactions.run(async () => 'late')).rejects.toThrow('closed');
    });
  });
}
