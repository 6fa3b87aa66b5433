import { describe, expect, test, vi } from 'vitest';
import type { UploadRecord } from '../../packages/service/src/files/ports.ts';
import { at } from '../fixtures/media-plans.ts';
import type { Engine } from './engine.ts';

const record = (uploadId: string, clientId = 'amy'): UploadRecord => ({
  uploadId,
  clientId,
  path: at('in/film.mov'),
  // More than 32 bits.
  sizeBytes: 50_000_000_000,
  offsetBytes: 0,
  metadata: 'path aW4vZmlsbS5tb3Y=',
  precondition: '{}',
  data: '',
  isPublished: false,
});

const PUBLISHED = { precondition: '{}', change: {} };

export function resumableUploadsContract(engine: Engine): void {
  describe(`resumable uploads on ${engine.name}`, () => {
    test('a client finds its own uploads only, until they expire', async () => {
      const { resumableUploads } = await engine.openStore();
      expect(await resumableUploads.add(record('a'), 'hers', 60, { maxOpen: 10, maxPublished: 10 })).toBe(true);
      await resumableUploads.add(record('old'), 'hers', -1, { maxOpen: 10, maxPublished: 10 });
      expect(await resumableUploads.find('amy', 'a')).toEqual(record('a'));
      expect(await resumableUploads.find('bob', 'a')).toBeUndefined();
      expect(await resumableUploads.claim('bob', 'a', 'his', 60)).toBeUndefined();
      expect(await resumableUploads.find('amy', 'old')).toBeUndefined();
      expect(await resumableUploads.claim('amy', 'old', 'hers', 60)).toBeUndefined();
      expect((await resumableUploads.expired(10)).map(({ uploadId }) => uploadId)).toEqual(['old']);
      await resumableUploads.remove('a');
      expect(await resumableUploads.find('amy', 'a')).toBeUndefined();
    });

    test('only the last holder that has claimed an upload can change it', async () => {
      const { resumableUploads } = await engine.openStore();
      await resumableUploads.add(record('a'), 'hers', 60, { maxOpen: 10, maxPublished: 10 });
      expect(await resumableUploads.claim('amy', 'a', 'first', 60)).toEqual(record('a'));
      expect(await resumableUploads.save('a', 'first', { offsetBytes: 10, data: 'x' }, 60)).toBe(true);
      expect(await resumableUploads.claim('amy', 'a', 'second', 60)).toMatchObject({ offsetBytes: 10, data: 'x' });
      expect(await resumableUploads.save('a', 'first', { offsetBytes: 20 }, 60)).toBe(false);
      expect(await resumableUploads.save('a', 'second', { offsetBytes: 50_000_000_000 }, 60)).toBe(true);
      expect(await resumableUploads.publish('amy', 'a', 'second', PUBLISHED, 60)).toBe(true);
      expect(await resumableUploads.find('amy', 'a')).toMatchObject({ offsetBytes: 50_000_000_000, isPublished: true });
      expect(await resumableUploads.save('none', 'second', { offsetBytes: 1 }, 60)).toBe(false);
    });

    test('the record of a whole file ends with its upload, and grows until then', async () => {
      const { resumableUploads, storedFiles } = await engine.openStore();
      const limits = { maxOpen: 10, maxPublished: 10, maxStoredBytes: 1000 };
      await resumableUploads.add({ ...record('a'), sizeBytes: 1 }, 'hers', 60, limits);
      await resumableUploads.grow('amy', 'a', 900, 1000);
      await expect(resumableUploads.grow('amy', 'a', 100, 1000)).rejects.toMatchObject({ code: 'STORAGE_EXCEEDED' });
      expect(await storedFiles.used('amy')).toBe(901);
      expect(await resumableUploads.publish('amy', 'a', 'his', { ...PUBLISHED, change: { files: 850 } }, 0)).toBe(
        false,
      );
      expect(await resumableUploads.publish('amy', 'a', 'hers', { ...PUBLISHED, change: { files: 850 } }, 0)).toBe(
        true,
      );
      expect([await storedFiles.used('amy'), (await resumableUploads.recorded(['a'])).size]).toEqual([850, 0]);
    });

    test('an upload by a link counts for the link if it is added, and no longer if it is removed without a file', async () => {
      const { resumableUploads, shares } = await engine.openStore();
      const [shareId, createdAt] = ['link', new Date().toISOString()];
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      await shares.add(
        { shareId, clientId: 'amy', path: at('in'), maxFiles: 2, createdAt, expiresAt, uses: 0 },
        'hash',
        9,
      );
      const limits = { maxOpen: 2, maxPublished: 9, maxStoredBytes: 100_000_000_000, shareId };
      const uses = async () => (await shares.find('hash'))?.uses;
      await resumableUploads.add(record('a'), 'hers', 60, limits);
      await expect(resumableUploads.add(record('a'), 'hers', 60, limits), 'the id is taken').rejects.toThrow();
      expect(await uses()).toBe(1);
      const small = { ...limits, maxStoredBytes: 1 };
      await expect(resumableUploads.add(record('b'), 'hers', 60, small)).rejects.toMatchObject({
        code: 'STORAGE_EXCEEDED',
      });
      expect(await resumableUploads.add(record('b'), 'hers', 60, { ...limits, maxOpen: 1 })).toBe(false);
      expect(await uses()).toBe(1);
      await resumableUploads.add(record('b'), 'hers', 60, limits);
      await expect(
        resumableUploads.add({ ...record('c'), sizeBytes: 0 }, 'hers', 60, { ...limits, maxOpen: 9 }),
      ).rejects.toMatchObject({ code: 'LINK_USED' });
      expect([await uses(), await resumableUploads.find('amy', 'c')]).toEqual([2, undefined]);
      expect([await resumableUploads.remove('a', shareId), await resumableUploads.remove('a', shareId)]).toEqual([
        true,
        false,
      ]);
      expect(await uses()).toBe(1);
      await resumableUploads.remove('b');
      expect(await uses(), 'it has stored a file').toBe(1);
    });

    test('the id of a multipart upload is in use as long as the data of an upload have it', async () => {
      const { resumableUploads } = await engine.openStore();
      for (const multipart of ['2~x_%y', 'x\\y"z\\']) {
        const data = JSON.stringify({ multipart });
        await resumableUploads.add({ ...record('a'), data }, 'hers', 60, { maxOpen: 9, maxPublished: 9 });
        expect([await resumableUploads.isInUse(multipart), await resumableUploads.isInUse('other')]).toEqual([
          true,
          false,
        ]);
        await resumableUploads.remove('a');
        expect(await resumableUploads.isInUse(multipart)).toBe(false);
      }
    });

    test('a use of an upload renews it', async () => {
      const { resumableUploads } = await engine.openStore();
      await resumableUploads.add(record('a'), 'hers', 60, { maxOpen: 10, maxPublished: 10 });
      await resumableUploads.claim('amy', 'a', 'hers', 60);
      await resumableUploads.save('a', 'hers', { offsetBytes: 1 }, -1);
      expect(await resumableUploads.find('amy', 'a')).toBeUndefined();
      await resumableUploads.save('a', 'hers', { offsetBytes: 2 }, 60);
      expect(await resumableUploads.find('amy', 'a')).toMatchObject({ offsetBytes: 2 });
    });

    test('limits the unfinished uploads of a client', async () => {
      const { resumableUploads } = await engine.openStore();
      for (const id of ['a', 'b'])
        expect(await resumableUploads.add(record(id), 'hers', 60, { maxOpen: 2, maxPublished: 10 })).toBe(true);
      expect(await resumableUploads.add(record('c'), 'hers', 60, { maxOpen: 2, maxPublished: 10 })).toBe(false);
      expect(await resumableUploads.add(record('of bob', 'bob'), 'hers', 60, { maxOpen: 2, maxPublished: 10 })).toBe(
        true,
      );
      expect(await resumableUploads.countOpen()).toBe(3);
      await resumableUploads.claim('amy', 'a', 'hers', 60);
      await resumableUploads.publish('amy', 'a', 'hers', PUBLISHED, 60);
      expect(await resumableUploads.countOpen()).toBe(2);
      expect(await resumableUploads.add(record('c'), 'hers', 60, { maxOpen: 2, maxPublished: 10 })).toBe(true);
    });

    test('keeps the latest published uploads of a client, and those whose bytes are not removed', async () => {
      const { resumableUploads } = await engine.openStore();
      const limits = { maxOpen: 10, maxPublished: 2 };
      const publish = async (uploadId: string, data: string, clientId = 'amy') => {
        await resumableUploads.add(record(uploadId, clientId), 'hers', 60, limits);
        await resumableUploads.claim(clientId, uploadId, 'hers', 60);
        await resumableUploads.publish(clientId, uploadId, 'hers', PUBLISHED, 60);
        await resumableUploads.save(uploadId, 'hers', { data }, 60);
      };
      await publish('bytes', 'x');
      await publish('of bob', '', 'bob');
      for (const id of ['a', 'b', 'c']) await publish(id, '');
      await resumableUploads.add(record('open'), 'hers', 60, limits);
      const all = ['bytes', 'of bob', 'a', 'b', 'c', 'open'];
      expect([...(await resumableUploads.recorded(all))].toSorted()).toEqual(['bytes', 'c', 'of bob', 'open']);
    });

    test('forgets the conditions of a published upload, and does not renew it', async () => {
      const { resumableUploads } = await engine.openStore();
      await resumableUploads.add({ ...record('a'), precondition: '{"ifMatch":"x"}' }, 'hers', 60, {
        maxOpen: 9,
        maxPublished: 9,
      });
      await resumableUploads.claim('amy', 'a', 'hers', 60);
      await resumableUploads.publish('amy', 'a', 'hers', PUBLISHED, 1);
      expect(await resumableUploads.claim('amy', 'a', 'his', 3600)).toEqual({
        ...record('a'),
        offsetBytes: record('a').sizeBytes,
        isPublished: true,
      });
      await vi.waitUntil(async () => (await resumableUploads.expired(9)).length === 1, { timeout: 10_000 });
    });

    test('removes expired published uploads without bytes, some at a time', async () => {
      const { resumableUploads } = await engine.openStore();
      for (const id of ['a', 'b', 'c', 'bytes', 'kept', 'open']) {
        await resumableUploads.add(record(id), 'hers', 60, { maxOpen: 9, maxPublished: 9 });
        await resumableUploads.claim('amy', id, 'hers', 60);
        const data = id === 'bytes' ? 'x' : '';
        const seconds = id === 'kept' ? 60 : -1;
        if (id !== 'open') await resumableUploads.publish('amy', id, 'hers', PUBLISHED, seconds);
        await resumableUploads.save(id, 'hers', { data }, seconds);
      }
      expect(await resumableUploads.removePublished(2)).toBe(3);
      const left = await resumableUploads.recorded(['a', 'b', 'c', 'bytes', 'kept', 'open']);
      expect([...left].toSorted()).toEqual(['bytes', 'kept', 'open']);
    });
  });
}
