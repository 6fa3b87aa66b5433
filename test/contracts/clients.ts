import { describe, expect, test } from 'vitest';
import { type ClientRecord, LastAdmin } from '../../packages/service/src/auth/ports.ts';
import { AT, type Engine, submitOne } from './engine.ts';

const AMY: ClientRecord = { clientId: 'amy', secretHash: 'salted', scopes: ['jobs:read', 'admin'], createdAt: AT };

export function clientsContract(engine: Engine): void {
  describe(`clients on ${engine.name}`, () => {
    test('stores a client unchanged', async () => {
      const { clients } = await engine.openStore();
      const bob: ClientRecord = {
        ...AMY,
        clientId: 'bob',
        root: '/media/bob',
        limits: { time: 60, pixels: null },
        createdAt: '2026-11-21T00:00:00.000Z',
      };
      expect(await clients.add(bob)).toBe(true);
      expect(await clients.add(AMY)).toBe(true);
      expect(await clients.get('amy')).toEqual(AMY);
      expect(await clients.list()).toEqual([AMY, bob]);
      expect(await clients.list('limited')).toEqual([bob]);
      expect(await clients.get('cat')).toBeUndefined();
    });

    test('lists the revoked clients that have queued jobs', async () => {
      const world = await engine.open();
      const { clients } = world.store;
      for (const clientId of ['amy', 'bob', 'cat']) await clients.add({ ...AMY, clientId });
      await submitOne(world);
      expect(await clients.list('revokedWithQueue')).toEqual([]);
      for (const clientId of ['amy', 'bob']) await clients.update(clientId, { revokedAt: AMY.createdAt });
      expect((await clients.list('revokedWithQueue')).map(({ clientId }) => clientId)).toEqual(['amy']);
    });

    test('rejects a client id that exists and keeps the existing client, even if two are added at once', async () => {
      const { clients } = await engine.openStore();
      const answers = await Promise.all([clients.add(AMY), clients.add({ ...AMY, secretHash: 'other' })]);
      expect(answers.toSorted()).toEqual([false, true]);
      expect(await clients.get('amy')).toEqual(answers[0] ? AMY : { ...AMY, secretHash: 'other' });
    });

    test('finds a client by its external subject until it is revoked', async () => {
      const { clients } = await engine.openStore();
      const eve: ClientRecord = { ...AMY, clientId: 'eve', externalSubject: 'user|7' };
      expect(await clients.add(AMY)).toBe(true);
      expect(await clients.add({ ...AMY, clientId: 'bob' }), 'several clients may have no subject').toBe(true);
      expect(await clients.add(eve)).toBe(true);
      expect(await clients.findExternal('user|7')).toEqual(eve);
      for (const subject of ['user|8', 'USER|7', 'eve', ''])
        expect(await clients.findExternal(subject)).toBeUndefined();
      expect(await clients.add({ ...eve, clientId: 'other' }), 'the subject already has a client').toBe(false);
      await clients.update('eve', { revokedAt: AT });
      expect(await clients.findExternal('user|7')).toBeUndefined();
      expect(await clients.add({ ...eve, clientId: 'other' })).toBe(true);
      expect(await clients.findExternal('user|7')).toMatchObject({ clientId: 'other' });
    });

    test('an update changes only the members that it has', async () => {
      const { clients } = await engine.openStore();
      await clients.add(AMY);
      const change = {
        secretHash: 'new',
        tokensNotBefore: AT,
        lastUsedAt: AT,
        revokedAt: AT,
        scopes: ['jobs:read'],
        root: '/m',
        limits: { threads: 2 },
      } as const;
      expect(await clients.update('amy', { secretHash: 'new', tokensNotBefore: AT })).toBe(true);
      expect(await clients.get('amy')).toEqual({ ...AMY, secretHash: 'new', tokensNotBefore: AT });
      const previousSecret = { hash: 'salted', until: AT };
      expect(await clients.update('amy', { secretHash: 'newer', previousSecret })).toBe(true);
      expect(await clients.get('amy')).toEqual({ ...AMY, secretHash: 'newer', tokensNotBefore: AT, previousSecret });
      expect(await clients.update('amy', change)).toBe(true);
      expect(await clients.get('amy')).toEqual({ ...AMY, ...change, previousSecret });
      expect(await clients.update('amy', {})).toBe(true);
      expect(await clients.update('nobody', change)).toBe(false);
    });

    test('changes of different limits at the same time undo each other nowhere', async () => {
      const { clients } = await engine.openStore();
      await clients.add({ ...AMY, limits: { threads: 2, files: 3 } });
      const changes = [{ time: 60 }, { pixels: null }, { files: undefined }, { cpu: 5 }];
      await Promise.all(changes.map((limits) => clients.update('amy', { limits })));
      expect((await clients.get('amy'))?.limits).toEqual({ threads: 2, time: 60, pixels: null, cpu: 5 });
    });

    test('of changes at once that would leave no administrator, the last is rejected and changes nothing', async () => {
      const { clients } = await engine.openStore();
      const names = ['amy', 'bob', 'cat', 'dan'];
      for (const clientId of names) await clients.add({ ...AMY, clientId });
      await clients.add({ ...AMY, clientId: 'shop', scopes: ['jobs:read'] });
      await clients.add({ ...AMY, clientId: 'gone', revokedAt: AT });
      const changes = [{ revokedAt: AT }, { scopes: ['jobs:read'] }] as const;
      const results = await Promise.allSettled(
        names.map((name, i) => clients.update(name, changes[i % 2] ?? {}, { keepsAdmin: true })),
      );
      const rejected = results.filter(({ status }) => status === 'rejected');
      expect(rejected).toEqual([{ status: 'rejected', reason: expect.any(LastAdmin) }]);
      const left = (await clients.list()).filter((one) => one.scopes.includes('admin') && one.revokedAt === undefined);
      expect(left).toHaveLength(1);
      const [last] = left;
      expect(last).toEqual({ ...AMY, clientId: last?.clientId });
      expect(await clients.update('shop', { revokedAt: AT }, { keepsAdmin: true })).toBe(true);
      expect(await clients.update(last?.clientId ?? '', { revokedAt: AT })).toBe(true);
    });
  });
}
