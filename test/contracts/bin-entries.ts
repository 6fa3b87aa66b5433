import { describe, expect, test } from 'vitest';
import type { BinEntry, BinStore } from '../../packages/service/src/files/ports.ts';
import type { Engine } from './engine.ts';

const HOUR = 3600;

export function binEntriesContract(engine: Engine): void {
  describe(`bin entries on ${engine.name}`, () => {
    const ids = (entries: readonly BinEntry[]) => entries.map(({ entryId }) => entryId);
    /** Adds entries one after the other, so that each has a later time. */
    async function add(bin: BinStore, clientId: string, entries: Readonly<Record<string, number>>, seconds = HOUR) {
      for (const [entryId, bytes] of Object.entries(entries)) {
        await bin.add({ entryId, clientId, path: `${entryId}.mp4`, bytes, counted: [{ path: '', bytes }] }, seconds);
        // The clock of the database has milliseconds.
        await new Promise((done) => setTimeout(done, 2));
      }
    }

    test('an entry is found by its client alone, and has what was stored', async () => {
      const { bin } = await engine.openStore();
      const entry = { entryId: 'e', clientId: 'amy', path: 'é/', bytes: 5e10, counted: [{ path: 'a', bytes: 5e10 }] };
      await bin.add(entry, HOUR);
      const found = await bin.find('amy', 'e');
      expect(found).toMatchObject(entry);
      expect(Date.parse(found?.expiresAt ?? '') - Date.parse(found?.deletedAt ?? '')).toBe(HOUR * 1000);
      expect(await bin.find('bob', 'e')).toBeUndefined();
      expect(await bin.remove('e')).toBe(true);
      expect([await bin.remove('e'), await bin.find('amy', 'e')]).toEqual([false, undefined]);
    });

    test('entries are listed newest first, given up oldest first, and added up by client', async () => {
      const { bin } = await engine.openStore();
      await add(bin, 'amy', { a: 1, b: 2 });
      await add(bin, 'bob', { c: 4 });
      await add(bin, 'amy', { d: 8 });
      expect(ids(await bin.list('amy', 9))).toEqual(['d', 'b', 'a']);
      expect(ids(await bin.list('amy', 1))).toEqual(['d']);
      expect(ids(await bin.oldest('amy', 2))).toEqual(['a', 'b']);
      expect(ids(await bin.oldest(undefined, 9))).toEqual(['a', 'b', 'c', 'd']);
      expect([await bin.used('amy'), await bin.used('bob'), await bin.used('eve')]).toEqual([11, 4, 0]);
      expect([...(await bin.clients())].sort()).toEqual(['amy', 'bob']);
    });

    test('entries expire, unless they are put off', async () => {
      const { bin } = await engine.openStore();
      await add(bin, 'amy', { old: 1, older: 1 }, -1);
      await add(bin, 'amy', { fresh: 1 });
      expect(ids(await bin.expired(9)).sort()).toEqual(['old', 'older']);
      expect(await bin.expired(1)).toHaveLength(1);
      await bin.postpone('old', HOUR);
      expect(ids(await bin.expired(9))).toEqual(['older']);
    });
  });
}
