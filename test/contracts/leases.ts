import { describe, expect, test } from 'vitest';
import type { Engine } from './engine.ts';

const lease = (name: string, holder: string, data?: string) => ({ name, holder, ...(data !== undefined && { data }) });

export function leasesContract(engine: Engine): void {
  describe(`leases on ${engine.name}`, () => {
    test('one of many holders gets a lease, and it alone can renew and release it', async () => {
      const { leases } = await engine.openStore();
      const holders = Array.from({ length: 10 }, (_, i) => `h${i}`);
      const taken = await Promise.all(holders.map((holder) => leases.take(lease('key', holder), 60)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      const owner = holders[taken.indexOf(true)] ?? '';
      expect(await leases.take(lease('key', owner), 60)).toBe(true);
      await leases.release(lease('key', 'other'));
      expect(await leases.take(lease('key', 'other'), 60)).toBe(false);
      await leases.release(lease('key', owner));
      expect(await leases.take(lease('key', 'other'), 60)).toBe(true);
    });

    test('tells whether anyone holds one of many leases', async () => {
      const { leases } = await engine.openStore();
      const names = Array.from({ length: 1200 }, (_, i) => `key${i}`);
      await leases.take(lease('key', 'one'), 60);
      await leases.take(lease('key7', 'one'), -1);
      expect(await leases.anyHeld(names)).toBe(false);
      expect(await leases.anyHeld([])).toBe(false);
      await leases.take(lease('key1111', 'one'), 60);
      expect(await leases.anyHeld(names)).toBe(true);
      await leases.release(lease('key1111', 'one'));
      expect(await leases.anyHeld(names)).toBe(false);
    });

    test('another holder gets an expired lease with its data, and the earlier one has lost it', async () => {
      const { leases } = await engine.openStore();
      await leases.take(lease('upload:a', 'one', 'a'), -1);
      await leases.take(lease('upload:b', 'one', 'b'), 60);
      await leases.take(lease('uploads', 'one'), -1);
      await leases.take(lease('object:c', 'one'), -1);
      expect(await leases.expired('upload:', 10)).toEqual([{ name: 'upload:a', data: 'a' }]);
      expect((await leases.list('upload:')).toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
        { name: 'upload:a', data: 'a' },
        { name: 'upload:b', data: 'b' },
      ]);
      expect(await leases.take(lease('upload:a', 'two'), 60)).toBe(true);
      expect(await leases.take(lease('upload:a', 'one'), 60)).toBe(false);
      expect(await leases.expired('upload:', 10)).toEqual([]);
      expect(await leases.take(lease('upload:a', 'two'), -1)).toBe(true);
      expect(await leases.expired('upload:', 10)).toEqual([{ name: 'upload:a', data: 'a' }]);
      expect(await leases.take(lease('upload:a', 'two', 'new'), -1)).toBe(true);
      await leases.take(lease('upload:z', 'one'), -1);
      expect(await leases.expired('upload:', 1)).toEqual([{ name: 'upload:a', data: 'new' }]);
      expect(await leases.expired('upload:', 10)).toEqual([{ name: 'upload:a', data: 'new' }, { name: 'upload:z' }]);
    });
  });
}
