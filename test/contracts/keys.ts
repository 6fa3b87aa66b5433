import { describe, expect, test } from 'vitest';
import { AT, type Engine } from './engine.ts';

const LATER = '2026-11-20T11:00:00.000Z';
const key = (kid: string, createdAt = AT) => ({ kid, secret: `secret of ${kid}`, createdAt });

export function keysContract(engine: Engine): void {
  describe(`signing keys on ${engine.name}`, () => {
    test('two services that start at once share one first key', async () => {
      const { signingKeys } = await engine.openStore();
      const [one, two] = await Promise.all([signingKeys.ensure(key('one')), signingKeys.ensure(key('two'))]);
      expect([[key('one')], [key('two')]]).toContainEqual(one);
      expect(two).toEqual(one);
      expect(await signingKeys.list()).toEqual(one);
    });

    test('a rotation retires the current key and adds its successor', async () => {
      const { signingKeys } = await engine.openStore();
      await signingKeys.ensure(key('one'));
      await signingKeys.rotate(key('two', LATER), LATER);
      expect(await signingKeys.list()).toEqual([{ ...key('one'), retiredAt: LATER }, key('two', LATER)]);
      expect(await signingKeys.ensure(key('three', LATER))).toHaveLength(2);
    });

    test('deletes keys that were retired long ago, never the current one', async () => {
      const { signingKeys } = await engine.openStore();
      await signingKeys.ensure(key('one'));
      await signingKeys.rotate(key('two', LATER), AT);
      await signingKeys.forget(LATER);
      expect(await signingKeys.list()).toEqual([key('two', LATER)]);
    });
  });
}
