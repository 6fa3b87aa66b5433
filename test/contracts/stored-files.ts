import { describe, expect, test } from 'vitest';
import type { UploadRecord } from '../../src/files/ports/resumable-uploads.ts';
import { dbOf } from '../../src/store/transaction/tx.ts';
import { at } from '../fixtures/media-plans.ts';
import type { Engine } from './engine.ts';

/** After all that a test does. */
const LATER = '9999-01-01T00:00:00.000Z';

const upload = (uploadId: string, sizeBytes: number): UploadRecord => ({
  ...{ uploadId, clientId: 'amy', path: at('a.mp4'), sizeBytes, offsetBytes: 0 },
  ...{ metadata: '', precondition: '{}', data: '', isPublished: false },
});

/** The files that the quota of storage counts. */
export function storedFilesContract(engine: Engine): void {
  describe(`stored files on ${engine.name}`, () => {
    const open = async () => (await engine.open()).store;

    test('files of a client never exceed its storage together, also of requests at the same time', async () => {
      const { storedFiles } = await open();
      const limit = 100;
      const counts = Array.from({ length: 10 }, (_, index) =>
        storedFiles.count('amy', [{ path: `${index}.mp4`, bytes: 30 }], { version: `${index}`, limit }),
      );
      const bobs = storedFiles.count('bob', [{ path: 'a.mp4', bytes: 7 }], { version: 'v', limit: 7 });
      const results = await Promise.allSettled([...counts, bobs]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
      for (const result of results)
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ code: 'QUOTA_EXCEEDED', quota: { name: 'storage', used: 90, limit } });
      expect(await storedFiles.used('amy')).toBe(90);
      expect(await storedFiles.used('bob')).toBe(7);
    });

    test('a file counts once, and may always be replaced by a smaller one', async () => {
      const { storedFiles } = await open();
      const count = (path: string, bytes: number, limit?: number) =>
        storedFiles.count('amy', [{ path, bytes }], { version: `${bytes}`, limit });
      await count('a', 90, 100);
      await storedFiles.count('amy', [...[{ path: 'b', bytes: 20 }], { path: 'a', bytes: 80 }], {
        version: 'both',
        limit: 100,
      });
      expect(await storedFiles.used('amy')).toBe(100);
      await count('a', 200);
      await count('a', 150, 100);
      await expect(count('a', 151, 100)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
      expect(await storedFiles.used('amy')).toBe(170);
      expect(await storedFiles.find('amy', ['a', 'b', 'c'])).toEqual(
        expect.arrayContaining([
          { path: 'a', bytes: 150, version: '150' },
          { path: 'b', bytes: 20, version: 'both' },
        ]),
      );
      expect(await storedFiles.find('bob', ['a'])).toEqual([]);
    });

    test('a correction stores what it has found, unless the file was counted again since', async () => {
      const { storedFiles } = await open();
      const files = ['gone', 'grown', 'again'].map((path) => ({ path, bytes: 1 }));
      await storedFiles.count('amy', files, { version: 'first' });
      await storedFiles.count('amy', [{ path: 'again', bytes: 4 }], { version: 'second' });
      const states = [
        { path: 'gone', version: 'first', bytes: undefined },
        { path: 'grown', version: 'first', bytes: 20 },
        { path: 'again', version: 'first', bytes: undefined },
        { path: 'found', version: undefined, bytes: 300 },
      ];
      expect(await storedFiles.correct('bob', states.slice(0, 3))).toEqual(['gone', 'grown', 'again']);
      expect(await storedFiles.correct('amy', states)).toEqual(['again']);
      expect(await storedFiles.used('amy')).toBe(324);
      const [{ version = '' } = {}] = await storedFiles.find('amy', ['grown']);
      expect(version, 'a second look of the same time is late').not.toBe('first');
      expect(await storedFiles.correct('amy', states)).toEqual(['gone', 'grown', 'again', 'found']);
      expect(await storedFiles.used('amy')).toBe(324);
    });

    test('requests that write the same files in other orders do not wait for each other for ever', async () => {
      const { storedFiles } = await open();
      const files = Array.from({ length: 40 }, (_, index) => ({ path: `${index}`, bytes: index }));
      const runs = Array.from({ length: 8 }, async (_, run) => {
        const own = run % 2 === 0 ? files : files.toReversed();
        await storedFiles.count('amy', own, { version: `${run}` });
        const found = await storedFiles.find(
          'amy',
          own.map(({ path }) => path),
        );
        await storedFiles.correct('amy', found.toReversed());
      });
      await Promise.all(runs);
      expect(await storedFiles.used('amy')).toBe(780);
    });

    test('the total of a client is what its files are together, whatever was written and removed', async () => {
      const { storedFiles } = await open();
      const expectTotal = async (bytes: number) => {
        expect(await storedFiles.used('amy')).toBe(bytes);
        await storedFiles.addUpBefore(LATER);
        expect(await storedFiles.used('amy'), 'added up').toBe(bytes);
      };
      const many = Array.from({ length: 1100 }, (_, index) => ({ path: `${index}.png`, bytes: 50_000_000_000 }));
      await storedFiles.count('amy', many, { version: 'v' });
      await expectTotal(55e12);
      await storedFiles.count('amy', [{ path: '7.png', bytes: 0 }], { version: 'w' });
      const removed = many.slice(8).map(({ path }) => ({ path, version: 'v', bytes: undefined }));
      expect(await storedFiles.correct('amy', removed)).toEqual([]);
      await expectTotal(35e10);
      expect(await storedFiles.used('bob')).toBe(0);
    });

    test('a total that is wrong, as services of an earlier version leave it, is corrected when files are added up', async () => {
      const { storedFiles, transactions } = await open();
      await storedFiles.count('amy', [...[{ path: 'a', bytes: 1 }], { path: 'b', bytes: 5 }], { version: 'v' });
      await transactions.run(async (tx) => {
        await dbOf(tx).updateTable('client_storage').set({ bytes: 3 }).execute();
      });
      await storedFiles.correct('amy', [{ path: 'b', version: 'v', bytes: undefined }]);
      expect(await storedFiles.used('amy'), 'never negative').toBe(0);
      await storedFiles.addUpBefore('2026-01-01T00:00:00.000Z');
      expect(await storedFiles.used('amy')).toBe(0);
      await storedFiles.addUpBefore(LATER);
      expect(await storedFiles.used('amy')).toBe(1);
    });

    test('an unfinished upload counts with its whole size, and is not created if that does not fit', async () => {
      const { storedFiles, resumableUploads } = await open();
      const add = (id: string, sizeBytes: number) =>
        resumableUploads.add(upload(id, sizeBytes), 60, { maxOpen: 5, maxStoredBytes: 100 });
      await storedFiles.count('amy', [{ path: 'b', bytes: 30 }], { version: 'v', limit: 100 });
      const results = await Promise.allSettled([add('one', 40), add('two', 40), add('three', 40)]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await storedFiles.used('amy')).toBe(70);
      for (const id of ['one', 'two', 'three']) await resumableUploads.remove(id);
      expect(await storedFiles.used('amy')).toBe(30);
    });

    test('several requests at once create no more uploads than a client may have', async () => {
      const { resumableUploads } = await open();
      const added = await Promise.all(
        Array.from({ length: 9 }, (_, index) => resumableUploads.add(upload(`${index}`, 1), 60, { maxOpen: 3 })),
      );
      expect(added.filter(Boolean)).toHaveLength(3);
    });

    test('files are listed for a check until they are counted or corrected again', async () => {
      const { storedFiles } = await open();
      const files = ['a', 'b'].map((path) => ({ path, bytes: 1 }));
      await storedFiles.count('amy', files, { version: 'v' });
      expect(await storedFiles.checkedBefore('2026-01-01T00:00:00.000Z', 10)).toEqual([]);
      expect(await storedFiles.checkedBefore(LATER, 1)).toHaveLength(1);
      const listed = await storedFiles.checkedBefore(LATER, 10);
      expect(listed.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual(
        files.map((file) => ({ ...file, clientId: 'amy', version: 'v' })),
      );
    });
  });
}
