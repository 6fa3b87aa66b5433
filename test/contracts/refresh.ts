import { describe, expect, test } from 'vitest';
import type { RefreshRecord } from '../../packages/service/src/auth/ports.ts';
import { AT, type Engine } from './engine.ts';

const token = (tokenHash: string, more: Partial<RefreshRecord> = {}): RefreshRecord => ({
  tokenHash,
  family: 'f',
  clientId: 'amy',
  scopes: ['jobs:read'],
  issuedAt: AT,
  expiresAt: '2026-12-20T10:00:00.000Z',
  ...more,
});
/** Returns the token `child`, for which the token `parent` was exchanged. */
const from = (parent: string, child: string) => ({ ...token(child), parent });
const LATER = '2026-11-20T10:00:20.000Z';
const BEFORE = '2026-11-20T09:59:50.000Z';
const RULES = { at: AT, graceFrom: BEFORE, mostSuccessors: 3 };

export function refreshContract(engine: Engine): void {
  describe(`refresh tokens on ${engine.name}`, () => {
    test('stores a token unchanged', async () => {
      const { refreshTokens } = await engine.openStore();
      await refreshTokens.add(token('one'));
      expect(await refreshTokens.get('one')).toEqual(token('one'));
      expect(await refreshTokens.get('two')).toBeUndefined();
    });

    test('the first use marks the token and adds its successor', async () => {
      const { refreshTokens } = await engine.openStore();
      await refreshTokens.add(token('one'));
      expect(await refreshTokens.rotate(from('one', 'two'), RULES)).toBe('rotated');
      expect(await refreshTokens.get('one')).toEqual(token('one', { usedAt: AT }));
      expect(await refreshTokens.get('two')).toEqual(from('one', 'two'));
    });

    test('a second use gets a successor within the grace period, and none after it', async () => {
      const { refreshTokens } = await engine.openStore();
      await refreshTokens.add(token('one'));
      await refreshTokens.rotate(from('one', 'two'), RULES);
      expect(await refreshTokens.rotate(from('one', 'three'), { ...RULES, at: LATER, graceFrom: AT })).toBe('rotated');
      expect(await refreshTokens.get('three')).toBeDefined();
      expect(await refreshTokens.rotate(from('one', 'four'), { ...RULES, at: LATER, graceFrom: LATER })).toBe('reused');
      expect(await refreshTokens.get('four')).toBeUndefined();
      expect((await refreshTokens.get('one'))?.usedAt).toBe(AT);
    });

    test('no successor outlives a revocation at the same time', async () => {
      const { refreshTokens } = await engine.openStore();
      for (let round = 0; round < 40; round++) {
        const [parent, child, family] = [`p${round}`, `c${round}`, `f${round}`];
        await refreshTokens.add(token(parent, { family }));
        const revoke = round % 2 === 0 ? refreshTokens.revokeFamily(family) : refreshTokens.revokeClient('amy');
        const successor = { ...from(parent, child), family };
        await Promise.all([refreshTokens.rotate(successor, RULES), revoke]);
        expect(await refreshTokens.get(child)).toBeUndefined();
      }
    });

    test('a token has at most the allowed number of successors', async () => {
      const { refreshTokens } = await engine.openStore();
      await refreshTokens.add(token('one'));
      for (const name of ['two', 'three', 'four'])
        expect(await refreshTokens.rotate(from('one', name), RULES)).toBe('rotated');
      expect(await refreshTokens.rotate(from('one', 'five'), RULES)).toBe('reused');
      expect(await refreshTokens.get('five')).toBeUndefined();
    });

    test('the grace period ends with the first use of a successor', async () => {
      const { refreshTokens } = await engine.openStore();
      await refreshTokens.add(token('one'));
      await refreshTokens.rotate(from('one', 'two'), RULES);
      await refreshTokens.rotate(from('two', 'three'), RULES);
      expect(await refreshTokens.rotate(from('one', 'four'), RULES)).toBe('reused');
      expect(await refreshTokens.get('four')).toBeUndefined();
      expect(await refreshTokens.rotate(from('two', 'five'), RULES), 'its successor is unused').toBe('rotated');
    });

    test('only one of several successors can be rotated', async () => {
      const { refreshTokens } = await engine.openStore();
      await refreshTokens.add(token('one'));
      for (const name of ['two', 'three']) await refreshTokens.rotate(from('one', name), RULES);
      const answers = await Promise.all(
        ['two', 'three'].map((name) => refreshTokens.rotate(from(name, `after ${name}`), RULES)),
      );
      expect(answers.toSorted()).toEqual(['reused', 'rotated']);
    });

    test('of two concurrent uses, only one is the first', async () => {
      const { refreshTokens } = await engine.openStore();
      await refreshTokens.add(token('one'));
      const names = ['two', 'three'];
      const answers = await Promise.all(
        names.map((name) => refreshTokens.rotate(from('one', name), { ...RULES, graceFrom: LATER })),
      );
      expect(answers.toSorted()).toEqual(['reused', 'rotated']);
      const stored = await Promise.all(names.map((name) => refreshTokens.get(name)));
      expect(stored.filter((each) => each !== undefined)).toHaveLength(1);
    });

    test('revoking a family or a client deletes its tokens', async () => {
      const { refreshTokens } = await engine.openStore();
      for (const one of [
        token('one'),
        token('two'),
        token('three', { family: 'g' }),
        token('four', { family: 'h', clientId: 'bob' }),
      ])
        await refreshTokens.add(one);
      await refreshTokens.revokeFamily('f');
      expect(await refreshTokens.rotate(from('one', 'new'), RULES)).toBeUndefined();
      expect(await refreshTokens.get('new')).toBeUndefined();
      expect(await refreshTokens.get('two')).toBeUndefined();
      expect(await refreshTokens.get('three')).toBeDefined();
      await refreshTokens.revokeClient('amy');
      expect(await refreshTokens.get('three')).toBeUndefined();
      expect(await refreshTokens.get('four')).toBeDefined();
    });

    test('keeps the newest tokens of a client, and does not exchange those before them again', async () => {
      const { refreshTokens } = await engine.openStore();
      await refreshTokens.add(token('one', { issuedAt: BEFORE }));
      await refreshTokens.add(token('of bob', { clientId: 'bob', issuedAt: BEFORE, family: 'g' }));
      await refreshTokens.rotate(from('one', 'two'), RULES);
      await refreshTokens.add(token('three', { family: 'h', issuedAt: LATER }));
      await refreshTokens.keepNewest('amy', 3);
      expect(await refreshTokens.get('one')).toBeDefined();
      await refreshTokens.keepNewest('amy', 1);
      expect(await refreshTokens.rotate(from('two', 'new'), RULES)).toBeUndefined();
      expect(await refreshTokens.get('one')).toBeUndefined();
      expect(await refreshTokens.get('three')).toBeDefined();
      expect(await refreshTokens.get('of bob')).toBeDefined();
    });

    test('a used token is not exchanged again after the grace period, also without its successors', async () => {
      const { refreshTokens } = await engine.openStore();
      await refreshTokens.add(token('one', { usedAt: AT }));
      const late = { ...RULES, at: LATER, graceFrom: LATER };
      expect(await refreshTokens.rotate(from('one', 'two'), late)).toBe('reused');
    });

    test('deletes many expired tokens', async () => {
      const { refreshTokens } = await engine.openStore();
      const names = Array.from({ length: 1100 }, (_, i) => `token ${i}`);
      await Promise.all(names.map((name) => refreshTokens.add(token(name, { expiresAt: BEFORE }))));
      await refreshTokens.forget(AT);
      const left = await Promise.all(names.map((name) => refreshTokens.get(name)));
      expect(left.filter((each) => each !== undefined)).toEqual([]);
    });

    test('deletes expired tokens and keeps the others', async () => {
      const { refreshTokens } = await engine.openStore();
      await refreshTokens.add(token('old', { expiresAt: BEFORE }));
      await refreshTokens.add(token('young', { expiresAt: LATER }));
      await refreshTokens.forget(AT);
      expect(await refreshTokens.get('old')).toBeUndefined();
      expect(await refreshTokens.get('young')).toBeDefined();
    });
  });
}
