import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { Engine, World } from './engine.ts';

const DAY_AGO = '2026-11-19T10:00:00.000Z';
const NOW = '2026-11-20T10:00:00.000Z';

const [ONE, TWO, THREE] = [uuid(), uuid(), uuid()];

const use = ({ store }: World, jobId: string, more: { clientId?: string; at?: string; notBefore?: string } = {}) =>
  store.transactions.run((tx) =>
    store.idempotency.insert(
      tx,
      { clientId: more.clientId ?? 'amy', key: 'k', bodyHash: `hash of ${jobId}`, jobId, at: more.at ?? NOW },
      more.notBefore ?? DAY_AGO,
    ),
  );

export function idempotencyContract(engine: Engine): void {
  describe(`idempotency keys on ${engine.name}`, () => {
    test('a used key returns its first use', async () => {
      const world = await engine.open();
      const first = { bodyHash: `hash of ${ONE}`, jobId: ONE };
      expect(await world.store.idempotency.find('amy', 'k', DAY_AGO)).toBeUndefined();
      expect(await use(world, ONE)).toBeUndefined();
      expect(await use(world, TWO)).toEqual(first);
      expect(await world.store.idempotency.find('amy', 'k', DAY_AGO)).toEqual(first);
    });

    test('clients do not share keys', async () => {
      const world = await engine.open();
      await use(world, ONE);
      expect(await use(world, TWO, { clientId: 'bob' })).toBeUndefined();
      expect((await world.store.idempotency.find('amy', 'k', DAY_AGO))?.jobId).toBe(ONE);
    });

    test('only one of concurrent uses of a key is the first', async () => {
      const world = await engine.open();
      const answers = await Promise.all([ONE, TWO, THREE].map((jobId) => use(world, jobId)));
      const stored = (await world.store.idempotency.find('amy', 'k', DAY_AGO))?.jobId;
      const expected = [ONE, TWO, THREE].map((jobId) => (jobId === stored ? undefined : stored));
      expect(answers.map((answer) => answer?.jobId)).toEqual(expected);
      expect(answers).toContain(undefined);
    });

    test('an expired key can be used again', async () => {
      const world = await engine.open();
      await use(world, ONE, { at: DAY_AGO });
      expect(await world.store.idempotency.find('amy', 'k', NOW)).toBeUndefined();
      expect(await use(world, TWO, { notBefore: NOW })).toBeUndefined();
      expect((await world.store.idempotency.find('amy', 'k', NOW))?.jobId).toBe(TWO);
    });

    test('a rolled back submission does not use its key', async () => {
      const world = await engine.open();
      const { store } = world;
      const failed = store.transactions.run(async (tx) => {
        const firstUse = { clientId: 'amy', key: 'k', bodyHash: 'h', jobId: uuid(), at: NOW };
        await store.idempotency.insert(tx, firstUse, DAY_AGO);
        throw new Error('undone');
      });
      await expect(failed).rejects.toThrow('undone');
      expect(await use(world, ONE)).toBeUndefined();
    });

    test('deletes expired keys, however many, and keeps the others', async () => {
      const world = await engine.open();
      const { store } = world;
      await store.transactions.run(async (tx) => {
        for (let i = 0; i < 2500; i++) {
          const at = i < 2400 ? new Date(Date.parse(DAY_AGO) - i).toISOString() : NOW;
          await store.idempotency.insert(tx, { clientId: 'amy', key: `${i}`, bodyHash: 'h', jobId: ONE, at }, '');
        }
      });
      await store.idempotency.deleteBefore(NOW);
      expect(await store.idempotency.find('amy', '0', '')).toBeUndefined();
      expect(await store.idempotency.find('amy', '2399', '')).toBeUndefined();
      expect(await store.idempotency.find('amy', '2400', '')).toBeDefined();
    });
  });
}
