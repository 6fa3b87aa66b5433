import { describe, expect, test } from 'vitest';
import type { BinItem, BinStore } from '../../packages/service/src/files/ports.ts';
import type { Engine } from './engine.ts';

const HOUR = 3600;

export function binEntriesContract(engine: Engine): void {
  describe(`bin entries on ${engine.name}`, () => {
    const ids = (entries: readonly BinItem[]) => entries.map(({ entryId }) => entryId);
    const KEEP = { holder: 'keep', seconds: HOUR };
    /** Adds entries whose files are in the bin, one after the other, so that each has a later time. */
    async function add(bin: BinStore, clientId: string, entries: Readonly<Record<string, number>>, seconds = HOUR) {
      for (const [entryId, bytes] of Object.entries(entries)) {
        const entry = { entryId, clientId, path: `${entryId}.mp4`, bytes, counted: [{ path: '', bytes }], data: '{}' };
        await bin.add(entry, seconds, KEEP);
        expect(await bin.release(entryId, 'keep')).toBe(true);
        // The clock of the database has milliseconds.
        await new Promise((done) => setTimeout(done, 2));
      }
    }

    test('an entry is found by its client alone, and has what was stored', async () => {
      const { bin } = await engine.openStore();
      const counted = [{ path: 'a', bytes: 5e10 }];
      const entry = { entryId: 'e', clientId: 'amy', path: 'é/', bytes: 5e10, counted, data: '{"bin":"é"}' };
      const added = await bin.add(entry, HOUR, KEEP);
      const found = await bin.find('amy', 'e');
      expect(found).toMatchObject(entry);
      expect(added).toEqual(found);
      // PostgreSQL reads its clock once for each of the two times.
      const seconds = (Date.parse(found?.expiresAt ?? '') - Date.parse(found?.deletedAt ?? '')) / 1000;
      expect(Math.abs(seconds - HOUR)).toBeLessThan(10);
      expect(await bin.find('bob', 'e')).toBeUndefined();
      expect(await bin.remove('e')).toBe(true);
      expect([await bin.remove('e'), await bin.find('amy', 'e')]).toEqual([false, undefined]);
    });

    test('an entry with an id that is taken is not added, and changes nothing', async () => {
      const { bin } = await engine.openStore();
      await add(bin, 'amy', { a: 1 });
      const before = await bin.find('amy', 'a');
      const entry = { entryId: 'a', clientId: 'amy', path: 'other.mp4', bytes: 9, counted: [], data: '' };
      expect(await bin.add(entry, HOUR, KEEP)).toBeUndefined();
      expect([await bin.find('amy', 'a'), await bin.used('amy')]).toEqual([before, 1]);
    });

    test('entries are listed newest first, given up oldest first, and added up by client', async () => {
      const { bin } = await engine.openStore();
      await add(bin, 'amy', { a: 1, b: 2 });
      await add(bin, 'bob', { c: 4 });
      await add(bin, 'amy', { d: 8 });
      expect(ids(await bin.list('amy', 9))).toEqual(['d', 'b', 'a']);
      expect(ids(await bin.list('amy', 1))).toEqual(['d']);
      expect((await bin.list('amy', 1))[0], 'a list of files can be long').not.toHaveProperty('counted');
      expect(ids(await bin.oldest('amy', 2))).toEqual(['a', 'b']);
      expect(ids(await bin.oldest(undefined, 9))).toEqual(['a', 'b', 'c', 'd']);
      expect(ids(await bin.oldest(undefined, 9, { except: ['amy', 'eve'] }))).toEqual(['c']);
      expect(ids(await bin.oldest('amy', 2, { leastBytes: 2 })), 'large ones').toEqual(['b', 'd']);
      expect(ids(await bin.oldest(undefined, 9, { leastBytes: 4, except: ['amy'] }))).toEqual(['c']);
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

    test('only one holder at a time moves the files of an entry, and only it removes the entry', async () => {
      const { bin } = await engine.openStore();
      await add(bin, 'amy', { a: 1 });
      const results = await Promise.all(['one', 'two'].map((holder) => bin.hold('a', { holder, seconds: HOUR })));
      expect(results.filter(Boolean)).toHaveLength(1);
      const [own = '', other = ''] = results[0] ? ['one', 'two'] : ['two', 'one'];
      expect(await bin.hold('a', { holder: own, seconds: HOUR }), 'renewed').toBe(true);
      expect([await bin.release('a', other), await bin.remove('a', other)]).toEqual([false, false]);
      expect(await bin.release('a', own)).toBe(true);
      expect(await bin.hold('a', { holder: other, seconds: -1 }), 'released').toBe(true);
      expect(await bin.hold('a', { holder: own, seconds: HOUR }), 'the other hold has ended').toBe(true);
      expect([await bin.remove('a', other), await bin.remove('a', own)]).toEqual([false, true]);
      expect(await bin.hold('a', { holder: own, seconds: HOUR }), 'removed').toBe(false);
    });

    test('an entry whose files are moving counts nowhere and is not given up', async () => {
      const { bin } = await engine.openStore();
      await add(bin, 'amy', { a: 1 }, -1);
      await bin.add({ entryId: 'b', clientId: 'amy', path: 'b/', bytes: 2, counted: [], data: '' }, -1, {
        holder: 'keep',
        seconds: HOUR,
      });
      expect(ids(await bin.list('amy', 9))).toEqual(['a']);
      expect(ids(await bin.oldest('amy', 9))).toEqual(['a']);
      expect(ids(await bin.expired(9))).toEqual(['a']);
      expect(await bin.used('amy')).toBe(1);
      expect([await bin.count('amy'), await bin.count('bob')], 'it is in the bin all the same').toEqual([2, 0]);
      expect(await bin.giveUp('b')).toBe(false);
      expect(await bin.giveUp('b', 'other')).toBe(false);
      await bin.release('b', 'keep');
      expect(ids(await bin.list('amy', 9))).toEqual(['b', 'a']);
      expect(await bin.giveUp('b')).toBe(true);
    });

    test('an entry that is given up cannot be restored, and is listed as expired until it is removed', async () => {
      const { bin } = await engine.openStore();
      await add(bin, 'amy', { a: 1, b: 2 });
      expect(await bin.giveUp('a')).toBe(true);
      expect(await bin.giveUp('a'), 'again after a crash').toBe(true);
      expect([await bin.giveUp('none'), await bin.hold('a', KEEP), await bin.find('amy', 'a')]).toEqual([
        false,
        false,
        undefined,
      ]);
      expect([ids(await bin.list('amy', 9)), ids(await bin.oldest('amy', 9)), await bin.used('amy')]).toEqual([
        ['b'],
        ['b'],
        2,
      ]);
      expect(await bin.count('amy'), 'until its files are deleted').toBe(2);
      const [first] = await bin.expired(9);
      expect(first?.entryId).toBe('a');
      expect(Date.parse(first?.givenUpAt ?? '')).toBeGreaterThan(Date.parse(first?.deletedAt ?? ''));
      await new Promise((done) => setTimeout(done, 2));
      await bin.giveUp('a');
      expect(await bin.expired(9), 'the first time counts').toMatchObject([{ givenUpAt: first?.givenUpAt }]);
      await bin.postpone('a', HOUR);
      expect(await bin.expired(9)).toEqual([]);
      expect([await bin.giveUp('b'), await bin.clients()]).toEqual([true, []]);
      expect(await bin.remove('a')).toBe(true);
    });

    test('only its holder gives up an entry whose files it has copied', async () => {
      const { bin } = await engine.openStore();
      await add(bin, 'amy', { a: 1 });
      await bin.hold('a', { holder: 'restore', seconds: HOUR });
      expect([await bin.giveUp('a'), await bin.giveUp('a', 'other')]).toEqual([false, false]);
      expect(await bin.giveUp('a', 'restore')).toBe(true);
      expect([await bin.hold('a', KEEP), ids(await bin.expired(9)), await bin.used('amy')]).toEqual([false, ['a'], 0]);
      expect(await bin.giveUp('a', 'restore'), 'the hold has ended').toBe(false);
    });
  });
}
