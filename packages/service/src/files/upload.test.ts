import { DEFAULT_SCOPES } from '@telecine/contract/domain/client.ts';
import { StorageExceeded, type StorageSize } from '@telecine/contract/domain/stored-files.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { UNCOUNTED, WITHOUT_BIN } from '../../../../test/support/uncounted-files.ts';
import type { FileFacts, FileStore, Published } from './ports.ts';
import { storeUpload } from './upload.ts';

const LIMIT = 1000;

const AMY = { clientId: 'amy', scopes: DEFAULT_SCOPES, root: mediaRoot('/'), policy: { storage: LIMIT } };

interface Body {
  readonly bytes: number;
  /** true: the request does not declare its length. */
  readonly isChunked?: boolean;
}

/** Uploads to `a.mov`. The client already uses `used` bytes of 1000. `publish`: how the upload ends. */
async function upload(used: number, { bytes, isChunked = false }: Body, publish?: () => Promise<Published>) {
  let read = 0;
  const settled: number[] = [];
  const added: Partial<StorageSize>[] = [];
  const beginUpload: FileStore['beginUpload'] = async () => ({
    append: async (chunks) => {
      for await (const _ of chunks);
    },
    publish: publish ?? (async () => ({ file: {} as FileFacts, before: undefined })),
    discard: async () => {},
  });
  const result = storeUpload(
    {
      store: { beginUpload } as FileStore,
      stored: {
        ...UNCOUNTED,
        reserve: async (_clientId, _id, wanted, limit = 0) => {
          if (used + wanted > limit) throw new StorageExceeded({ files: used, bin: 0 }, wanted, limit);
        },
        settle: async (_clientId, _id, stored) => void settled.push(stored),
        add: async (_clientId, change) => void added.push(change),
      },
      withRoom: WITHOUT_BIN,
      keepSeconds: 60,
      maxBytes: 5000,
    },
    AMY,
    'a.mov',
    {
      ...(isChunked ? {} : { sizeBytes: bytes }),
      precondition: {},
      keepsReplaced: true,
      bytes: (async function* () {
        for (; read < bytes; read += 100) yield new Uint8Array(Math.min(100, bytes - read));
      })(),
    },
  );
  const error = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, read, settled, added };
}

const exceeded = (used: number) => ({ code: 'STORAGE_EXCEEDED', quota: { name: 'storage', used, limit: LIMIT } });

test('reads no body whose declared length does not fit into what is left', async () => {
  expect(await upload(600, { bytes: 401 })).toMatchObject({ error: exceeded(600), read: 0, settled: [] });
  expect(await upload(600, { bytes: 400 })).toMatchObject({ error: undefined, settled: [400] });
  expect(await upload(1000, { bytes: 1 })).toMatchObject({ error: exceeded(1000), read: 0 });
  expect(await upload(0, { bytes: 5001 })).toMatchObject({ error: { code: 'BODY_TOO_LARGE' }, read: 0 });
});

test('reads a body of unknown length up to what is left, and then counts nothing', async () => {
  const { error, read, settled } = await upload(600, { bytes: 50_000, isChunked: true });
  expect(error).toMatchObject(exceeded(600));
  expect({ read, settled }).toEqual({ read: 400, settled: [0] });
  expect(await upload(1000, { bytes: 50_000, isChunked: true })).toMatchObject({ error: exceeded(1000), read: 0 });
  expect(await upload(600, { bytes: 400, isChunked: true })).toMatchObject({ error: undefined, settled: [400] });
});

const OLD: FileFacts = {
  path: 'a.mov' as FileFacts['path'],
  sizeBytes: 300,
  modifiedAt: new Date(0),
  fingerprint: 'old',
};

test('a replaced file no longer counts, or counts as what the bin has', async () => {
  const file = { ...OLD, sizeBytes: 10, fingerprint: 'new' };
  const gone = await upload(0, { bytes: 10 }, async () => ({ file, before: OLD }));
  expect([gone.settled, gone.added]).toEqual([[10], [{ files: -300, bin: 0 }]]);
  const replaced = { entryId: 'entry', path: 'a.mov', bytes: 300, deletedAt: new Date(0) };
  const kept = await upload(0, { bytes: 10 }, async () => ({ file, before: OLD, replaced }));
  expect([kept.settled, kept.added]).toEqual([[10], [{ files: -300, bin: 300 }]]);
});

test('an upload that fails in the end counts nothing', async () => {
  const lost = new Error('The reply was lost.');
  const { error, settled, added } = await upload(0, { bytes: 10 }, () => Promise.reject(lost));
  expect([error, settled, added]).toEqual([lost, [0], []]);
});
