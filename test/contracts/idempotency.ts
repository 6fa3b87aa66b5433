import { describe, expect, test } from 'vitest';
import type { Engine, World } from './engine.ts';

const DAY_AGO = '2026-11-19T10:00:00.000Z';
const NOW = '2026-11-20T10:00:00.000Z';

const remember = ({ store }: World, jobId: string, more: { clientId?: string; at?: string; notBefore?: string } = {}) =>
  store.transactions.run((tx) =>
    store.idempotency.insert(
      tx,
      { clientId: more.clientId ?? 'amy', key: 'k', bodyHash: `hash of ${jobId}`, jobId, at: more.at ?? NOW },
      more.notBefore ?? DAY_AGO,
    ),
  );

export function idempotencyContract(engine: Engine): void {
  describe(`idempotency keys on ${engine.name}`, () => {
    test('a key is new once; afterwards it stands for what it was first used for', async () => {
      const world = await engine.open();
      const first = { bodyHash: 'hash of one', jobId: 'one' };
      expect(await world.store.idempotency.find('amy', 'k', DAY_AGO)).toBeUndefined();
      expect(await remember(world, 'one')).toBeUndefined();
      expect(await remember(world, 'two')).toEqual(first);
      expect(await world.store.idempotency.find('amy', 'k', DAY_AGO)).toEqual(first);
    });

    test('clients do not share keys', async () => {
      const world = await engine.open();
      await remember(world, 'one');
      expect(await remember(world, 'two', { clientId: 'bob' })).toBeUndefined();
      expect((await world.store.idempotency.find('amy', 'k', DAY_AGO))?.jobId).toBe('one');
    });

    test('of submissions that race with one key, one alone is the first', async () => {
      const world = await engine.open();
      const answers = await Promise.all(['a', 'b', 'c'].map((jobId) => remember(world, jobId)));
      expect(answers.map((answer) => answer?.jobId)).toEqual([undefined, 'a', 'a']);
    });

    test('an old key may be used anew', async () => {
      const world = await engine.open();
      await remember(world, 'one', { at: DAY_AGO });
      expect(await world.store.idempotency.find('amy', 'k', NOW)).toBeUndefined();
      expect(await remember(world, 'two', { notBefore: NOW })).toBeUndefined();
      expect((await world.store.idempotency.find('amy', 'k', NOW))?.jobId).toBe('two');
    });

    test('a key whose submission is undone was never used', async () => {
      const world = await engine.open();
      const { store } = world;
      const failed = store.transactions.run(async (tx) => {
        const entry = { clientId: 'amy', key: 'k', bodyHash: 'h', jobId: 'gone', at: NOW };
        await store.idempotency.insert(tx, entry, DAY_AGO);
        throw new Error('undone');
      });
      await expect(failed).rejects.toThrow('undone');
      expect(await remember(world, 'one')).toBeUndefined();
    });

    test('old keys are forgotten, however many, and younger ones kept', async () => {
      const world = await engine.open();
      const { store } = world;
      await store.transactions.run(async (tx) => {
        for (let i = 0; i < 2500; i++) {
          const at = i < 2400 ? new Date(Date.parse(DAY_AGO) - i).toISOString() : NOW;
          await store.idempotency.insert(tx, { clientId: 'amy', key: `${i}`, bodyHash: 'h', jobId: 'j', at }, '');
        }
      });
      await store.idempotency.deleteBefore(NOW);
      expect(await store.idempotency.find('amy', '0', '')).toBeUndefined();
      expect(await store.idempotency.find('amy', '2399', '')).toBeUndefined();
      expect(await store.idempotency.find('amy', '2400', '')).toBeDefined();
    });
  });
}
