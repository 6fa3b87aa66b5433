import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { Tx } from '../../src/jobs/ports.ts';
import { AT, type Engine, REQUEST, type World } from './engine.ts';

const insert = ({ store }: World, tx: Tx, jobId: string): Promise<void> =>
  store.jobs.insert(tx, [{ jobId, clientId: 'amy', request: JSON.stringify(REQUEST), fairnessRank: 1, createdAt: AT }]);

export function transactionsContract(engine: Engine): void {
  describe(`transactions on ${engine.name}`, () => {
    test('what a unit returns and what it throws reach its own caller', async () => {
      const { store } = await engine.open();
      const mistake = new Error('mine');
      const results = await Promise.allSettled([
        store.transactions.run(async () => 1),
        store.transactions.run(async () => {
          throw mistake;
        }),
        store.transactions.run(async () => 3),
      ]);
      expect(results).toEqual([
        { status: 'fulfilled', value: 1 },
        { status: 'rejected', reason: mistake },
        { status: 'fulfilled', value: 3 },
      ]);
    });

    test('a unit that throws leaves nothing behind, and takes nothing from those around it', async () => {
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

    test('a write that the database refuses undoes its unit alone', async () => {
      const world = await engine.open();
      const [twice, other] = [uuid(), uuid()];
      const results = await Promise.allSettled([
        world.store.transactions.run((tx) => insert(world, tx, twice)),
        world.store.transactions.run(async (tx) => {
          await insert(world, tx, other);
          await insert(world, tx, twice);
        }),
      ]);
      expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected']);
      expect(await world.store.jobs.get(other)).toBeUndefined();
      expect(await world.store.jobs.get(twice)).toBeDefined();
    });

    test('what is not committed is seen by nobody else, and makes nobody wait', async () => {
      const world = await engine.open();
      const jobId = uuid();
      const { promise: goOn, resolve: finish } = Promise.withResolvers<void>();
      const { promise: inserted, resolve: hasInserted } = Promise.withResolvers<void>();
      const unit = world.store.transactions.run(async (tx) => {
        await insert(world, tx, jobId);
        hasInserted();
        await goOn;
      });
      await inserted;
      expect(await world.store.jobs.get(jobId)).toBeUndefined();
      expect(await world.store.jobs.list({ limit: 9 })).toEqual([]);
      finish();
      await unit;
      expect(await world.store.jobs.get(jobId)).toBeDefined();
    });

    test('a unit sees what the units before it wrote', async () => {
      const world = await engine.open();
      const turns = await Promise.all(
        Array.from({ length: 20 }, () =>
          world.store.transactions.run(async (tx) => {
            const fairnessRank = await world.store.jobs.nextFairnessRank(tx, 'amy');
            await world.store.jobs.insert(tx, [
              { jobId: uuid(), clientId: 'amy', request: JSON.stringify(REQUEST), fairnessRank, createdAt: AT },
            ]);
            return fairnessRank;
          }),
        ),
      );
      expect(new Set(turns).size).toBe(20);
    });

    test('a transaction that is over cannot be written through', async () => {
      const world = await engine.open();
      const kept: Tx[] = [];
      await world.store.transactions.run(async (tx) => void kept.push(tx));
      const [late] = kept;
      if (late === undefined) throw new Error('The unit did not run.');
      await expect(insert(world, late, uuid())).rejects.toThrow('over');
    });

    test('closing lets what was asked for end, and refuses the rest', async () => {
      const { store } = await engine.open();
      const asked = store.transactions.run(async () => 'done');
      const closed = store.close();
      await expect(asked).resolves.toBe('done');
      await closed;
      await expect(store.transactions.run(async () => 'late')).rejects.toThrow('closed');
    });
  });
}
