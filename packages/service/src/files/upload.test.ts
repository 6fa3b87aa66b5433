import { DEFAULT_SCOPES } from '@telecine/contract/domain/client.ts';
import { storageExceeded } from '@telecine/contract/domain/stored-files.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { memoryBin } from '../../../../test/support/memory-bin.ts';
import { UNCOUNTED } from '../../../../test/support/uncounted-files.ts';
import type { FileFacts, FileStore, UploadSession } from './ports.ts';
import { storeUpload, type UploadDeps } from './upload.ts';

const LIMIT = 1000;

const AMY = { clientId: 'amy', scopes: DEFAULT_SCOPES, root: mediaRoot('/'), policy: { storage: LIMIT } };

interface Body {
  readonly bytes: number;
  /** true: the request does not declare its length. */
  readonly isChunked?: boolean;
}

/** Uploads to `a.mov`. The client already uses `used` bytes of 1000, `replaced` of them for the file at this path. */
async function upload(used: number, replaced: number, { bytes, isChunked = false }: Body) {
  let [read, reservations, released] = [0, 0, 0];
  const counted: number[] = [];
  const beginUpload: FileStore['beginUpload'] = async () => ({
    append: async (chunks) => {
      for await (const _ of chunks);
    },
    publish: async () => ({ file: {} as FileFacts, created: true }),
    discard: async () => {},
  });
  const result = storeUpload(
    {
      store: { beginUpload } as FileStore,
      stored: {
        reserve: async (_clientId, _path, { least, most, limit }) => {
          const room = replaced + Math.max(0, limit - used);
          if (least > room) throw storageExceeded(used, least - replaced, limit);
          reservations += 1;
          return Math.min(most, room);
        },
        release: async () => {
          released += 1;
        },
        records: UNCOUNTED.records,
        count: async (_clientId, files) => void counted.push(...files.map((file) => file.bytes)),
        find: async () => [],
      },
      recount: UNCOUNTED.recount,
      bin: memoryBin(),
      keepSeconds: 60,
      maxBytes: 5000,
    },
    AMY,
    'a.mov',
    {
      ...(isChunked ? {} : { sizeBytes: bytes }),
      precondition: {},
      bytes: (async function* () {
        for (; read < bytes; read += 100) yield new Uint8Array(Math.min(100, bytes - read));
      })(),
    },
  );
  const error = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, read, counted, reservations, released };
}

const exceeded = (used: number) => ({ code: 'QUOTA_EXCEEDED', quota: { name: 'storage', used, limit: LIMIT } });

test('reads no body whose declared length does not fit into what is left', async () => {
  expect(await upload(600, 0, { bytes: 401 })).toMatchObject({ error: exceeded(600), read: 0, counted: [] });
  expect(await upload(600, 0, { bytes: 400 })).toMatchObject({ error: undefined, counted: [400], released: 0 });
  expect(await upload(1000, 0, { bytes: 1 })).toMatchObject({ error: exceeded(1000), read: 0 });
  expect(await upload(0, 0, { bytes: 5001 })).toMatchObject({ error: { code: 'BODY_TOO_LARGE' }, read: 0 });
});

test('reads a body of unknown length up to what is left', async () => {
  const { error, ...rest } = await upload(600, 0, { bytes: 50_000, isChunked: true });
  expect(error).toMatchObject(exceeded(600));
  expect(rest, 'and forgets what it has reserved').toEqual({ read: 400, counted: [], reservations: 1, released: 1 });
  expect(await upload(1000, 0, { bytes: 50_000, isChunked: true })).toMatchObject({ error: exceeded(1000), read: 0 });
  expect(await upload(600, 0, { bytes: 400, isChunked: true })).toMatchObject({ error: undefined, counted: [400] });
});

test('a file counts only for what it is larger than the one that it replaces, also above the quota', async () => {
  expect(await upload(1000, 300, { bytes: 300 })).toMatchObject({ error: undefined, counted: [300] });
  expect(await upload(1000, 300, { bytes: 301 })).toMatchObject({
    error: { ...exceeded(1000), message: expect.stringContaining('needs 1.') },
  });
  expect(await upload(900, 300, { bytes: 400, isChunked: true })).toMatchObject({ counted: [400] });
  expect(await upload(2000, 300, { bytes: 300 })).toMatchObject({ counted: [300] });
  expect(await upload(2000, 300, { bytes: 301 })).toMatchObject({ error: exceeded(2000), read: 0 });
});

const OLD: FileFacts = {
  path: 'a.mov' as FileFacts['path'],
  sizeBytes: 300,
  modifiedAt: new Date(0),
  fingerprint: 'old',
};

/** Uploads to `a.mov` and keeps what was there. `calls`: what this costs besides the upload. */
async function replace(
  current: FileFacts | undefined,
  publish: UploadSession['publish'],
  more: Partial<UploadDeps> = {},
) {
  const bin = memoryBin();
  const calls: string[] = [];
  const counts: string[] = ['old'];
  const deps: UploadDeps = {
    store: {
      beginUpload: async (_root, _path, { check }) => {
        check(current);
        const append: UploadSession['append'] = async (chunks) => {
          for await (const _ of chunks);
        };
        return { append, publish, discard: async () => {} };
      },
    } as Partial<FileStore> as FileStore,
    stored: {
      reserve: async (_clientId, _path, { least }) => least,
      release: async () => {},
      records: UNCOUNTED.records,
      count: async () => void counts.push('new'),
      find: async () => {
        calls.push(`find ${counts.at(-1)}`);
        return [{ path: 'a.mov', bytes: 300, version: 'v' }];
      },
    },
    recount: UNCOUNTED.recount,
    bin: {
      ...bin,
      add: async (...args) => {
        calls.push('add');
        return bin.add(...args);
      },
      release: async (...args) => {
        calls.push('release');
        return bin.release(...args);
      },
    },
    keepSeconds: 60,
    maxBytes: 5000,
    ...more,
  };
  const bytes = (async function* () {
    yield new Uint8Array(10);
  })();
  const result = storeUpload(deps, AMY, 'a.mov', { sizeBytes: 10, precondition: {}, keepsReplaced: true, bytes });
  const { replaced, error } = (await result.catch((reason: unknown) => ({ replaced: undefined, error: reason }))) as {
    readonly replaced?: unknown;
    readonly error?: unknown;
  };
  return { replaced, error, calls, entries: await bin.list('amy', 9), ids: bin.ids() };
}

const PUBLISHED = { file: { ...OLD, sizeBytes: 10, fingerprint: 'new' }, created: false };

test('an upload that keeps what it replaces costs nothing more if it replaces nothing', async () => {
  const { error, replaced, calls } = await replace(undefined, async () => ({ ...PUBLISHED, created: true }));
  expect({ error, replaced, calls }).toEqual({ error: undefined, replaced: undefined, calls: [] });
});

test('a replaced file is in the bin with the size that it counted for', async () => {
  const { replaced, calls, entries } = await replace(OLD, async (record) => {
    await record?.add('data of the engine', OLD);
    return PUBLISHED;
  });
  expect(replaced).toMatchObject({ path: 'a.mov', bytes: 300, counted: [{ path: '', bytes: 300 }] });
  expect(entries).toEqual([replaced]);
  expect(calls, 'its count is read before the new file is counted').toEqual(['find old', 'add', 'release']);
});

test('a file that the bin cannot keep is replaced all the same, and the result has no entry', async () => {
  const full = await replace(OLD, async (record) => {
    await record?.add('', OLD);
    await record?.remove();
    return PUBLISHED;
  });
  expect([full.error, full.replaced, full.ids]).toEqual([undefined, undefined, []]);
  const off = await replace(
    OLD,
    async (record) => {
      expect(record).toBeUndefined();
      return PUBLISHED;
    },
    { keepSeconds: 0 },
  );
  expect([off.error, off.replaced, off.calls]).toEqual([undefined, undefined, []]);
});

test('what a failed upload has left in the bin can be restored', async () => {
  const { error, entries } = await replace(OLD, async (record) => {
    await record?.add('', OLD);
    throw new Error('The reply was lost.');
  });
  expect(error).toMatchObject({ message: 'The reply was lost.' });
  expect(entries).toMatchObject([{ path: 'a.mov', bytes: 300 }]);
});
