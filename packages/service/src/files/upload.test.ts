import { DEFAULT_SCOPES } from '@telecine/contract/domain/client.ts';
import { storageExceeded } from '@telecine/contract/domain/stored-files.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { UNCOUNTED } from '../../../../test/support/uncounted-files.ts';
import type { FileFacts, FileStore } from './ports.ts';
import { storeUpload } from './upload.ts';

const LIMIT = 1000;

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
        count: async (_clientId, files) => void counted.push(...files.map((file) => file.bytes)),
      },
      recount: UNCOUNTED.recount,
      maxBytes: 5000,
    },
    { clientId: 'amy', scopes: DEFAULT_SCOPES, root: mediaRoot('/'), policy: { storage: LIMIT } },
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
