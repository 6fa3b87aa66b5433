import { DEFAULT_SCOPES } from '@telecine/contract/domain/client.ts';
import { StorageExceeded, type StorageSize } from '@telecine/contract/domain/stored-files.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { UNCOUNTED, WITHOUT_BIN } from '../../../../test/support/uncounted-files.ts';
import type { FileFacts, Published, UploadRecord, UploadStore } from './ports.ts';
import { type UploadDeps, uploadOperations } from './uploads.ts';

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
  let size = 0;
  const counted: Partial<StorageSize>[] = [];
  const removed: string[] = [];
  const require = (wanted: number, limit = 0): void => {
    if (used + wanted > limit) throw new StorageExceeded({ files: used, bin: 0 }, wanted, limit);
    size = wanted;
  };
  const { put } = uploadOperations({
    store: {
      add: async ({ sizeBytes }: UploadRecord, _holder: string, _seconds: number, { maxStoredBytes = 0 }) => {
        require(sizeBytes, maxStoredBytes);
        return true;
      },
      grow: async (_clientId: string, _id: string, more: number, limit: number) => require(size + more, limit),
      save: async () => true,
      publish: async (...[, , , { change }]: Parameters<UploadStore['publish']>) => counted.push(change) > 0,
      remove: async (id: string) => removed.push(id) > 0,
    },
    parts: {
      begin: async () => {},
      append: async (_upload: unknown, chunks: AsyncIterable<Uint8Array>) => {
        let offsetBytes = 0;
        for await (const chunk of chunks) offsetBytes += chunk.length;
        return { offsetBytes };
      },
      publish: publish ?? (async () => ({ file: {} as FileFacts, before: undefined })),
      remove: async () => {},
    },
    stored: UNCOUNTED,
    withRoom: WITHOUT_BIN,
    keepSeconds: 60,
    maxBytes: 5000,
    expirySeconds: 3600,
    onEvent: () => {},
    log: { warn: () => {} },
  } as unknown as UploadDeps);
  const result = put(
    { caller: AMY },
    {
      ...(isChunked ? {} : { sizeBytes: bytes }),
      path: 'a.mov',
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
  return { error, read, counted, removed: removed.length };
}

const exceeded = (used: number) => ({ code: 'STORAGE_EXCEEDED', quota: { name: 'storage', used, limit: LIMIT } });

test('reads no body whose declared length does not fit into what is left', async () => {
  expect(await upload(600, { bytes: 401 })).toMatchObject({ error: exceeded(600), read: 0, counted: [] });
  expect(await upload(600, { bytes: 400 })).toMatchObject({ error: undefined, counted: [{ files: 400, bin: 0 }] });
  expect(await upload(1000, { bytes: 1 })).toMatchObject({ error: exceeded(1000), read: 0 });
  expect(await upload(0, { bytes: 5001 })).toMatchObject({ error: { code: 'BODY_TOO_LARGE' }, read: 0 });
});

test('reads a body of unknown length up to what is left, and then counts nothing', async () => {
  const { error, ...rest } = await upload(600, { bytes: 50_000, isChunked: true });
  expect(error).toMatchObject(exceeded(600));
  expect(rest).toEqual({ read: 400, counted: [], removed: 1 });
  expect(await upload(1000, { bytes: 50_000, isChunked: true })).toMatchObject({ error: exceeded(1000), read: 0 });
  expect(await upload(600, { bytes: 400, isChunked: true })).toMatchObject({
    error: undefined,
    counted: [{ files: 400, bin: 0 }],
  });
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
  expect(gone.counted).toEqual([{ files: -290, bin: 0 }]);
  const replaced = { entryId: 'entry', path: 'a.mov', bytes: 300, deletedAt: new Date(0) };
  const kept = await upload(0, { bytes: 10 }, async () => ({ file, before: OLD, replaced }));
  expect(kept.counted).toEqual([{ files: -290, bin: 300 }]);
});

test('an upload that fails in the end counts nothing, and leaves no record', async () => {
  const lost = new Error('The reply was lost.');
  const { error, counted, removed } = await upload(0, { bytes: 10 }, () => Promise.reject(lost));
  expect([error, counted, removed]).toEqual([lost, [], 1]);
});
