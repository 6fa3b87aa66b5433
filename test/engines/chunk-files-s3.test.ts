import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { expect, onTestFinished } from 'vitest';
import { StorageDown } from '../../packages/contract/src/domain/failure.ts';
import { chunkFilesOnS3, type S3ChunkFilesOptions } from '../../packages/service/src/media/s3/chunk-files.ts';
import { s3Files } from '../../packages/service/src/media/s3/files/s3-files.ts';
import { keyLocks } from '../../packages/service/src/media/s3/key-locks.ts';
import { s3Root } from '../../packages/service/src/media/s3/location.ts';
import { chunkFilesContract } from '../contracts/chunk-files.ts';
import { failure } from '../contracts/media.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { openS3 } from '../fixtures/s3-media.ts';
import { needs } from '../support/needs.ts';
import { s3Server, testClient } from '../support/s3.ts';
import { startS3Proxy } from '../support/s3-proxy.ts';

const test = needs('an S3 server');

async function openChunks() {
  const world = await sqlite.open();
  const t = await openS3(world);
  const { leases, outputUploads } = world.store;
  const media = await t.restart();
  const storage = { bucket: t.bucket, prefix: 'telecine/' };
  const prefix = 'telecine/.telecine/chunks-test/';
  const openOn = (more: Partial<S3ChunkFilesOptions>) =>
    chunkFilesOnS3({
      client: t.client,
      storage,
      name: 'chunks-test',
      folders: media.folders,
      freeBytes: media.freeBytes,
      minFreeBytes: 0,
      log: { warn: () => {} },
      ...more,
    });
  return {
    ...t,
    media,
    openOn,
    chunkFiles: openOn({}),
    stored: async () => {
      const { Contents = [] } = await t.client.send(new ListObjectsV2Command({ Bucket: t.bucket, Prefix: prefix }));
      return Contents.map(({ Key = '' }) => Key.slice(prefix.length));
    },
    /** Opens a scratch folder with a file `pass/c0.mkv` of `sizeBytes` bytes. */
    scratchWith: async (sizeBytes: number) => {
      const scratch = await media.openScratch('job', 1);
      await mkdir(join(media.scratchFolder(scratch), 'pass'));
      await writeFile(join(media.scratchFolder(scratch), 'pass', 'c0.mkv'), Buffer.alloc(sizeBytes, 'c'));
      return scratch;
    },
    files: s3Files({
      client: t.client,
      locks: keyLocks(leases, outputUploads),
    }),
    rootOfService: s3Root(storage, undefined),
  };
}

chunkFilesContract('an S3 server', openChunks, test);

/** Opens the store before a proxy that rejects requests while `isDown.value`. */
async function openBehindProxy() {
  const t = await openChunks();
  const down = { isDown: (_method: string): boolean => false };
  const proxy = await startS3Proxy(s3Server().endpoint, ({ method }) =>
    down.isDown(method) ? 'slow down' : undefined,
  );
  const client = testClient(s3Server(), { endpoint: proxy.endpoint });
  onTestFinished(async () => {
    client.destroy();
    await t.close();
  });
  return { ...t, down, chunkFiles: t.openOn({ client }) };
}

test('reports an object store that is down as StorageDown, so that the caller can repeat the requests', async () => {
  const t = await openBehindProxy();
  const scratch = await t.scratchWith(5);
  t.down.isDown = () => true;
  let outages = 0;
  const whileDown = async <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      expect(error).toBeInstanceOf(StorageDown);
      outages += 1;
      t.down.isDown = () => false;
      return work();
    });
  await t.chunkFiles.keep(scratch, 'c0.mkv', 'a.1', { whileDown });
  t.down.isDown = (method) => method === 'GET';
  const other = await t.media.openScratch('job', 2);
  await mkdir(join(t.media.scratchFolder(other), 'pass'));
  expect(await t.chunkFiles.link(other, 'a.1', 'c0.mkv', { whileDown })).toBe(true);
  expect(outages).toBe(2);
  expect(await readFile(join(t.media.scratchFolder(other), 'pass', 'c0.mkv'), 'utf8')).toBe('ccccc');
});

test('an upload of several parts that is aborted leaves no parts', async () => {
  const t = await openBehindProxy();
  const scratch = await t.scratchWith(40 * 2 ** 20);
  const cancel = new AbortController();
  t.down.isDown = (method) => {
    if (method === 'PUT') cancel.abort(new Error('cancelled'));
    return method === 'PUT';
  };
  const kept = t.chunkFiles.keep(scratch, 'c0.mkv', 'a.1', { signal: cancel.signal });
  await expect(kept).rejects.toThrow('cancelled');
  expect([await t.openUploads(), await t.stored()]).toEqual([[], []]);
});

test('shows no chunk for which the disk of the worker has too little space', async () => {
  const t = await openChunks();
  onTestFinished(() => t.close());
  const scratch = await t.scratchWith(5);
  await t.chunkFiles.keep(scratch, 'c0.mkv', 'a.1');
  const full = t.openOn({ minFreeBytes: Number.MAX_SAFE_INTEGER });
  const other = await t.media.openScratch('job', 2);
  await mkdir(join(t.media.scratchFolder(other), 'pass'));
  await expect(full.link(other, 'a.1', 'c0.mkv')).rejects.toEqual(failure('NO_SPACE'));
});

test('copies that are made at the same time share the free space', async () => {
  const t = await openChunks();
  onTestFinished(() => t.close());
  const scratch = await t.scratchWith(1000);
  await t.chunkFiles.keep(scratch, 'c0.mkv', 'a.1');
  const other = await t.media.openScratch('job', 2);
  await mkdir(join(t.media.scratchFolder(other), 'pass'));
  const names = ['c1.mkv', 'c2.mkv', 'c3.mkv'];
  // There is room for one copy until another is complete. None begins before all have asked for room.
  let asked = 0;
  const all = Promise.withResolvers<void>();
  const freeBytes = async (): Promise<number> => {
    asked += 1;
    if (asked === names.length) all.resolve();
    await all.promise;
    return 1500;
  };
  const narrow = t.openOn({ freeBytes, minFreeBytes: 0 });
  const copied = await Promise.allSettled(names.map((name) => narrow.link(other, 'a.1', name)));
  expect(copied.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await narrow.link(other, 'a.1', 'c4.mkv')).toBe(true);
});

test('a worker does not copy back a chunk that it has encoded itself', async () => {
  const t = await openBehindProxy();
  const scratch = await t.scratchWith(5);
  await t.chunkFiles.keep(scratch, 'c0.mkv', 'a.1');
  t.down.isDown = () => true;
  expect(await t.chunkFiles.link(scratch, 'a.1', 'c0.mkv')).toBe(true);
  expect(await readFile(join(t.media.scratchFolder(scratch), 'pass', 'c0.mkv'), 'utf8')).toBe('ccccc');
});

test('a chunk that is removed takes no room in the scratch folder in which it was encoded', async () => {
  const t = await openChunks();
  onTestFinished(() => t.close());
  const scratch = await t.scratchWith(5);
  const pass = join(t.media.scratchFolder(scratch), 'pass');
  await t.chunkFiles.keep(scratch, 'c0.mkv', 'a.1');
  expect(await readdir(pass)).toHaveLength(1);
  await t.chunkFiles.remove(['a.1', 'none.1'], scratch);
  expect([await readdir(pass), await t.stored()]).toEqual([[], []]);
});

test('no list of a client shows chunks', async () => {
  const t = await openChunks();
  onTestFinished(() => t.close());
  await t.chunkFiles.keep(await t.scratchWith(5), 'c0.mkv', 'a.1');
  expect(await t.stored()).toEqual(['a.1']);
  const listed = await t.files.list(t.rootOfService, { folder: '', nameStart: '', limit: 9 });
  expect(listed).toEqual({ entries: [], more: false });
});
