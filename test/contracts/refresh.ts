import { describe, expect, test } from 'vitest';
import type { RefreshRecord } from '../../src/auth/ports.ts';
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
const LATER = '2026-11-20T10:00:20.000Z';
const BEFORE = '2026-11-20T09:59:50.000Z';

export function refreshContract(engine: Engine): void {
  describe(`refresh tokens on ${engine.name}`, () => {
    test('a token is kept as it was added', async () => {
      const { refreshTokens } = (await engine.open()).store;
      await refreshTokens.add(token('one'));
      expect(await refreshTokens.get('one')).toEqual(token('one'));
      expect(await refreshTokens.get('two')).toBeUndefined();
    });

    test('a first use marks the token and adds its successor', async () => {
      const { refreshTokens } = (await engine.open()).store;
      await refreshTokens.add(token('one'));
      expect(await refreshTokens.rotate('one', token('two'), AT, BEFORE)).toBe(AT);
      expect(await refreshTokens.get('one')).toEqual(token('one', { usedAt: AT }));
      expect(await refreshTokens.get('two')).toEqual(token('two'));
    });

    test('a second use within the grace gets a successor too, a later one none; both hear of the first', async () => {
      const { refreshTokens } = (await engine.open()).store;
      await refreshTokens.add(token('one'));
      await refreshTokens.rotate('one', token('two'), AT, BEFORE);
      expect(await refreshTokens.rotate('one', token('three'), LATER, AT)).toBe(AT);
      expect(await refreshTokens.get('three')).toBeDefined();
      expect(await refreshTokens.rotate('one', token('four'), LATER, LATER)).toBe(AT);
      expect(await refreshTokens.get('four')).toBeUndefined();
      expect((await refreshTokens.get('one'))?.usedAt).toBe(AT);
    });

    test('of two uses at once, one is the first', async () => {
      const { refreshTokens } = (await engine.open()).store;
      await refreshTokens.add(token('one'));
      const answers = await Promise.all([
        refreshTokens.rotate('one', token('two'), AT, AT),
        refreshTokens.rotate('one', token('three'), LATER, LATER),
      ]);
      expect(answers).toEqual([AT, AT]);
      expect(await refreshTokens.get('three')).toBeUndefined();
    });

    test('a revoked family can rotate no more, nor can a revoked client', async () => {
      const { refreshTokens } = (await engine.open()).store;
      for (const one of [
        token('one'),
        token('two'),
        token('three', { family: 'g' }),
        token('four', { family: 'h', clientId: 'bob' }),
      ])
        await refreshTokens.add(one);
      await refreshTokens.revokeFamily('f');
      expect(await refreshTokens.rotate('one', token('new'), AT, BEFORE)).toBeUndefined();
      expect(await refreshTokens.get('new')).toBeUndefined();
      expect(await refreshTokens.get('two')).toBeUndefined();
      expect(await refreshTokens.get('three')).toBeDefined();
      await refreshTokens.revokeClient('amy');
      expect(await refreshTokens.get('three')).toBeUndefined();
      expect(await refreshTokens.get('four')).toBeDefined();
    });

    test('expired tokens are forgotten, the others kept', async () => {
      const { refreshTokens } = (await engine.open()).store;
      await refreshTokens.add(token('old', { expiresAt: BEFORE }));
      await refreshTokens.add(token('young', { expiresAt: LATER }));
      await refreshTokens.forget(AT);
      expect(await refreshTokens.get('old')).toBeUndefined();
      expect(await refreshTokens.get('young')).toBeDefined();
    });
  });
}
