import { describe, expect, test } from 'vitest';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { StorageExceeded } from '../../packages/contract/src/domain/stored-files.ts';
import type { UploadRecord } from '../../packages/service/src/files/ports.ts';
import { dbOf } from '../../packages/service/src/store/transaction/database.ts';
import { at } from '../fixtures/media-plans.ts';
import type { Engine } from './engine.ts';

const AT = '2026-11-20T08:00:00.000Z';

export function storedFilesContract(engine: Engine): void {
  describe(`stored files on ${engine.name}`, () => {
    const stored = async () => (await engine.openStore()).storedFiles;
    const exceeded = expect.objectContaining({ code: 'STORAGE_EXCEEDED' });

    test('room that requests reserve at the same time never exceeds the limit together', async () => {
      const files = await stored();
      await files.add('amy', { files: 200 });
      const all = Array.from({ length: 50 }, (_, n) => files.reserve('amy', `${n}`, 100, 1000));
      const ended = await Promise.allSettled(all);
      expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
      for (const one of ended) if (one.status === 'rejected') expect(one.reason).toEqual(exceeded);
      expect(await files.used('amy')).toBe(1000);
      await files.reserve('bob', 'b', 900, 1000);
      expect(await files.used('bob')).toBe(900);
    });

    test('a reservation grows, and ends with what was stored, once', async () => {
      const files = await stored();
      await files.reserve('amy', 'a', 100, 1000);
      await files.reserve('amy', 'a', 1000, 1000);
      await expect(files.reserve('amy', 'a', 1001, 1000)).rejects.toEqual(exceeded);
      await files.settle('amy', 'a', 700);
      await files.settle('amy', 'a', 700);
      expect(await files.used('amy')).toBe(700);
      await files.reserve('amy', 'b', 300, 1000);
      await files.settle('amy', 'b', 0);
      await files.settle('amy', 'unknown', 5);
      expect(await files.used('amy')).toBe(700);
      await files.reserve('amy', 'c', 5e10, undefined);
      await files.settle('amy', 'c', 5e10);
      expect(await files.used('amy'), 'without a limit').toBe(5e10 + 700);
    });

    test('the bin needs room too, and the problem says whether it would make room', async () => {
      const files = await stored();
      await files.add('amy', { files: 500, bin: 400 });
      expect(await files.used('amy')).toBe(500);
      const error = await files.reserve('amy', 'a', 200, 1000).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(StorageExceeded);
      expect(error).toBeInstanceOf(Problem);
      expect(error).toMatchObject({ binHelps: true, quota: { name: 'storage', used: 500, limit: 1000 } });
      const never = await files.reserve('amy', 'a', 501, 1000).catch((reason: unknown) => reason);
      expect(never).toMatchObject({ binHelps: false });
      await files.add('amy', { bin: -100 });
      await files.reserve('amy', 'a', 200, 1000);
      await files.add('amy', { files: -9000, bin: -9000 });
      expect(await files.used('amy'), 'never below 0').toBe(200);
    });

    test('a sum replaces what was counted, and keeps what was added while it ran', async () => {
      const { storedFiles: files, clients } = await engine.openStore();
      await clients.add({ clientId: 'amy', secretHash: 'h', scopes: [], createdAt: AT });
      await files.add('amy', { files: 100, bin: 5 });
      const [due] = await files.due();
      if (due === undefined) throw new Error('It was never added up.');
      await files.add('amy', { files: 30 });
      await files.reserve('amy', 'a', 20, 1000);
      await files.settle('amy', 'a', 20);
      await files.add('amy', { files: -40 });
      await files.replace(due, { files: 60, bin: 7 }, 3600);
      expect(await files.used('amy')).toBe(110);
      const error = await files.reserve('amy', 'b', 0, 0).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ quota: { used: 110 } });
      expect(await files.due(), 'not before its time').toEqual([]);
      await files.replace(due, { files: 60, bin: 7 }, -1);
      expect(await files.due()).toHaveLength(1);
    });

    test('a reservation whose process was killed counts until a sum an hour later', async () => {
      const { storedFiles: files, clients, transactions } = await engine.openStore();
      await clients.add({ clientId: 'amy', secretHash: 'h', scopes: [], createdAt: AT });
      await files.reserve('amy', 'old', 70, 1000);
      await files.reserve('amy', 'new', 20, 1000);
      const [due] = await files.due();
      if (due === undefined) throw new Error('It was never added up.');
      await files.replace(due, { files: 0, bin: 0 }, 60);
      expect(await files.used('amy')).toBe(90);
      await transactions.run((tx) =>
        dbOf(tx).updateTable('storage_reservations').set({ at: AT }).where('id', '=', 'old').execute(),
      );
      expect(await files.used('amy')).toBe(90);
      await files.replace(due, { files: 0, bin: 0 }, 60);
      expect(await files.used('amy')).toBe(20);
    });

    test('a media root that cannot be read keeps what was counted, and no reservation of a killed process', async () => {
      const { storedFiles: files, clients, transactions } = await engine.openStore();
      await clients.add({ clientId: 'amy', secretHash: 'h', scopes: [], createdAt: AT });
      await files.add('amy', { files: 100, bin: 5 });
      await files.reserve('amy', 'old', 70, 1000);
      const [due] = await files.due();
      if (due === undefined) throw new Error('It was never added up.');
      await transactions.run((tx) => dbOf(tx).updateTable('storage_reservations').set({ at: AT }).execute());
      await files.replace(due, undefined, 3600);
      expect(await files.used('amy')).toBe(100);
      const error = await files.reserve('amy', 'a', 900, 1000).catch((reason: unknown) => reason);
      expect(error, 'the bin counts too').toMatchObject({ binHelps: true });
      expect(await files.due(), 'not before its time').toEqual([]);
    });

    test('an unfinished upload counts with its whole size, and in the end once as a file', async () => {
      const { storedFiles: files, resumableUploads } = await engine.openStore();
      const upload = (uploadId: string, sizeBytes: number): UploadRecord => ({
        ...{ uploadId, clientId: 'amy', path: at('a.mp4'), sizeBytes, offsetBytes: 0, metadata: '' },
        ...{ precondition: '{}', data: '', isPublished: false },
      });
      const limits = { maxOpen: 9, maxPublished: 9, maxStoredBytes: 1000 };
      expect(await resumableUploads.add(upload('u', 600), 'holder', 3600, limits)).toBe(true);
      await expect(resumableUploads.add(upload('v', 401), 'holder', 3600, limits)).rejects.toEqual(exceeded);
      await expect(files.reserve('amy', 'a', 401, 1000)).rejects.toEqual(exceeded);
      expect(await files.used('amy')).toBe(600);
      await resumableUploads.claim('amy', 'u', 'holder', 3600);
      const publication = { precondition: '{}', change: { files: 600 } };
      expect(await resumableUploads.publish('amy', 'u', 'holder', publication, 600)).toBe(true);
      expect(await files.used('amy')).toBe(600);
      await resumableUploads.remove('u');
      expect(await files.used('amy')).toBe(600);
    });

    test('several requests at once create no more uploads than a client may have', async () => {
      const { resumableUploads } = await engine.openStore();
      const record = (uploadId: string): UploadRecord => ({
        ...{ uploadId, clientId: 'amy', path: at('a.mp4'), sizeBytes: 1, offsetBytes: 0, metadata: '' },
        ...{ precondition: '{}', data: '', isPublished: false },
      });
      const added = Array.from({ length: 10 }, (_, n) =>
        resumableUploads.add(record(`${n}`), 'holder', 3600, { maxOpen: 4, maxPublished: 9 }),
      );
      expect((await Promise.all(added)).filter(Boolean)).toHaveLength(4);
    });
  });
}
