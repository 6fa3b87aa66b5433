import { describe, expect, test } from 'vitest';
import type { ClientRecord } from '../../src/auth/ports.ts';
import { AT, type Engine } from './engine.ts';

const AMY: ClientRecord = { clientId: 'amy', secretHash: 'salted', scopes: ['jobs:read', 'admin'], createdAt: AT };

export function clientsContract(engine: Engine): void {
  describe(`clients on ${engine.name}`, () => {
    test('a client is kept as it was added', async () => {
      const { clients } = (await engine.open()).store;
      const bob: ClientRecord = { ...AMY, clientId: 'bob', root: '/media/bob', createdAt: '2026-11-21T00:00:00.000Z' };
      expect(await clients.add(bob)).toBe(true);
      expect(await clients.add(AMY)).toBe(true);
      expect(await clients.get('amy')).toEqual(AMY);
      expect(await clients.list()).toEqual([AMY, bob]);
      expect(await clients.get('cat')).toBeUndefined();
    });

    test('a name that is taken is refused and its client left alone, also when two ask at once', async () => {
      const { clients } = (await engine.open()).store;
      const answers = await Promise.all([clients.add(AMY), clients.add({ ...AMY, secretHash: 'other' })]);
      expect(answers).toEqual([true, false]);
      expect(await clients.get('amy')).toEqual(AMY);
    });

    test('a change touches what it names', async () => {
      const { clients } = (await engine.open()).store;
      await clients.add(AMY);
      const change = {
        secretHash: 'new',
        tokensNotBefore: AT,
        revokedAt: AT,
        scopes: ['jobs:read'],
        root: '/m',
      } as const;
      expect(await clients.update('amy', { secretHash: 'new', tokensNotBefore: AT })).toBe(true);
      expect(await clients.get('amy')).toEqual({ ...AMY, secretHash: 'new', tokensNotBefore: AT });
      expect(await clients.update('amy', change)).toBe(true);
      expect(await clients.get('amy')).toEqual({ ...AMY, ...change });
      expect(await clients.update('amy', {})).toBe(true);
      expect(await clients.update('nobody', change)).toBe(false);
    });
  });
}
