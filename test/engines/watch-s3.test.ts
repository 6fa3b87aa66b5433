import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { expect, onTestFinished } from 'vitest';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { BucketGrant, MediaRoot } from '../../packages/contract/src/domain/media-root.ts';
import { NEVER } from '../../packages/contract/src/domain/steps.ts';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { type NamedBucket, namedBuckets } from '../../packages/service/src/media/s3/bucket.ts';
import { bucketSource } from '../../packages/service/src/media/s3/bucket-source.ts';
import { s3Root } from '../../packages/service/src/media/s3/location.ts';
import { watchSource } from '../../packages/service/src/media/watch-source.ts';
import type { FoundFile, ScanKind, WatchedFolder, WatchSource } from '../../packages/service/src/watches/ports.ts';
import { openDiskWatch } from '../fixtures/disk-watch.ts';
import { at } from '../fixtures/media-plans.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { newBucket, s3Server, testClient } from '../support/s3.ts';
import { type S3Fault, startS3Proxy } from '../support/s3-proxy.ts';

const test = needs('an S3 server');

const PREFIX = 'own/amy/';

const WHERE: WatchedFolder = { folder: 'in/', subfolders: true, accepts: (name) => name.endsWith('.mov') };

/** A source, and the scans of one watch with it. */
function watchWith(source: WatchSource, root: MediaRoot, where: WatchedFolder = WHERE) {
  const memory = source.newMemory();
  const pages = (kind: ScanKind, again: readonly MediaPath[] = []) =>
    source.scan(root, where, { memory, kind, again, signal: NEVER });
  const scan = async (kind: ScanKind, again?: readonly MediaPath[]): Promise<readonly FoundFile[]> => {
    const found: FoundFile[] = [];
    for await (const page of pages(kind, again)) found.push(...page);
    return found;
  };
  const paths = async (kind: ScanKind, again?: readonly MediaPath[]): Promise<readonly string[]> =>
    (await scan(kind, again)).map(({ path }) => path).toSorted();
  return { memory, pages, scan, paths };
}

async function opened(where: Partial<WatchedFolder> = {}) {
  const client = testClient(s3Server());
  onTestFinished(() => client.destroy());
  const bucket = await newBucket(client);
  const root = s3Root({ bucket, prefix: 'own/' }, 'amy');
  const source = bucketSource(namedBuckets([], { client, location: { bucket, prefix: 'own/' } }));
  return {
    ...{ client, bucket, root, source },
    put: (path: string, content = path) => put(client, bucket, PREFIX + path, content),
    remove: (path: string) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: PREFIX + path })),
    ...watchWith(source, root, { ...WHERE, ...where }),
  };
}

const put = (client: S3Client, bucket: string, key: string, content: string): Promise<unknown> =>
  client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: content }));

test('finds the objects of a folder, without names of transfers and names that no request can have', async () => {
  const t = await opened();
  const names = [
    '1.mov',
    'a/b c+d é&.mov',
    '2.txt',
    '.3.mov',
    '4.mov.part',
    '.x/5.mov',
    'a/',
    'b//6.mov',
    '.telecine-x/7.mov',
  ];
  for (const name of names) await t.put(`in/${name}`);
  await t.put('inner/8.mov');
  await put(t.client, t.bucket, 'own/bob/in/9.mov', 'of another client');
  expect(await t.paths('full')).toEqual(['in/1.mov', 'in/a/b c+d é&.mov']);
  expect([t.memory.storage, t.memory.files]).toEqual(['bucket', 2]);
});

test('finds only the objects of the folder itself if the watch has no subfolders', async () => {
  const t = await opened({ subfolders: false });
  for (const name of ['in/1.mov', 'in/a/2.mov']) await t.put(name);
  expect(await t.paths('full')).toEqual(['in/1.mov']);
});

test('an object is found when it is new and when its content changes, and is whole', async () => {
  const t = await opened();
  await t.put('in/1.mov');
  await t.put('in/2.mov');
  expect(await t.paths('full')).toEqual(['in/1.mov', 'in/2.mov']);
  expect(await t.paths('quick')).toEqual([]);
  await t.put('in/2.mov', 'changed');
  await t.put('in/3.mov');
  await t.remove('in/1.mov');
  const found = await t.scan('quick');
  expect(found).toMatchObject([
    { path: 'in/2.mov', bytes: 7, isWhole: true },
    { path: 'in/3.mov', isWhole: true },
  ]);
  expect(await t.source.find(t.root, at('in/2.mov'))).toEqual(found[0]);
  expect(await t.source.find(t.root, at('in/1.mov'))).toBeUndefined();
  expect(await t.paths('quick')).toEqual([]);
  // The same content again is the same version.
  await t.put('in/1.mov');
  await t.put('in/3.mov');
  expect(await t.paths('quick')).toEqual(['in/1.mov']);
  expect(await t.paths('full')).toEqual(['in/1.mov', 'in/2.mov', 'in/3.mov']);
});

test('a multipart upload counts when it is completed', async () => {
  const t = await opened();
  await t.scan('full');
  const object = { Bucket: t.bucket, Key: `${PREFIX}in/1.mov` };
  const { UploadId } = await t.client.send(new CreateMultipartUploadCommand(object));
  const part = { ...object, UploadId, PartNumber: 1 };
  const { ETag } = await t.client.send(new UploadPartCommand({ ...part, Body: 'film' }));
  expect(await t.paths('quick')).toEqual([]);
  await t.client.send(
    new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts: [{ ETag, PartNumber: 1 }] } }),
  );
  expect(await t.scan('quick')).toMatchObject([{ path: 'in/1.mov', bytes: 4, isWhole: true }]);
});

test('an empty object is not whole yet, and is looked at again', async () => {
  const t = await opened();
  await t.put('in/1.mov', '');
  expect(await t.scan('full')).toMatchObject([{ bytes: 0, isWhole: false }]);
  expect(await t.paths('quick', [at('in/1.mov')])).toEqual(['in/1.mov']);
  expect(await t.paths('quick')).toEqual([]);
});

test('marked objects are looked at and yielded, without a list', async () => {
  const t = await opened();
  await t.put('in/1.mov');
  await t.scan('full');
  for (const name of ['in/1.mov', 'in/2.mov', 'out/3.mov', 'in/4.txt']) await t.put(name);
  for (const path of ['in/1.mov', 'in/2.mov', 'out/3.mov', 'in/4.txt', 'in/gone.mov', '../x.mov']) t.memory.mark(path);
  expect(await t.paths('marked')).toEqual(['in/1.mov', 'in/2.mov']);
  expect([t.memory.hasMarks, await t.paths('quick')]).toEqual([false, []]);
});

test('a list of several pages is yielded in pages of 500, and goes on after one that was not reported', async () => {
  const t = await opened();
  const limit = pLimit(16);
  await Promise.all(Array.from({ length: 1300 }, (_, i) => limit(() => t.put(`in/${i}.mov`, 'x'))));
  const first: string[] = [];
  let count = 0;
  for await (const page of t.pages('full')) {
    expect(page.length).toBeLessThanOrEqual(500);
    count += 1;
    if (count === 2) break;
    first.push(...page.map(({ path }) => path));
  }
  const rest = await t.paths('thorough');
  expect([first.length, rest.length, new Set([...first, ...rest]).size]).toEqual([500, 800, 1300]);
  expect(await t.paths('quick')).toEqual([]);
});

test('a bucket that is missing or down is unreachable, and marks are kept', async () => {
  const t = await opened();
  const missing = namedBuckets([], { client: t.client, location: { bucket: `${t.bucket}-x`, prefix: 'own/' } });
  const other = watchWith(bucketSource(missing), s3Root({ bucket: `${t.bucket}-x`, prefix: 'own/' }, 'amy'));
  other.memory.mark('in/1.mov');
  await expect(other.scan('quick')).rejects.toMatchObject({ name: 'FolderUnreachable', reason: 'denied' });
  expect(other.memory.hasMarks).toBe(true);
  let fault: S3Fault | undefined = { status: 503, code: 'SlowDown' };
  const proxy = await startS3Proxy(s3Server().endpoint, () => fault);
  const client = testClient(s3Server(), { endpoint: proxy.endpoint });
  onTestFinished(() => client.destroy());
  const source = bucketSource(namedBuckets([], { client, location: { bucket: t.bucket, prefix: 'own/' } }));
  const watch = watchWith(source, t.root);
  await t.put('in/1.mov');
  await expect(watch.scan('full')).rejects.toMatchObject({ name: 'FolderUnreachable', reason: 'down' });
  await expect(source.find(t.root, at('in/1.mov'))).rejects.toMatchObject({ reason: 'down' });
  // A reply that breaks off is no list.
  fault = { cutAfterBytes: 300 };
  await expect(watch.scan('full')).rejects.toMatchObject({ reason: 'down' });
  fault = undefined;
  expect(await watch.paths('full')).toEqual(['in/1.mov']);
});

test('watches a folder in another bucket, without what the client may not read there', async () => {
  const client = testClient(s3Server());
  onTestFinished(() => client.destroy());
  const bucket = await newBucket(client);
  for (const key of ['in/1.mov', 'in/a/2.mov', 'in/secret/3.mov', 'out/4.mov']) await put(client, bucket, key, key);
  const named: NamedBucket[] = [
    { client, access: 'read', location: { bucket, prefix: '', address: `s3://${bucket}/` } },
  ];
  const grants: BucketGrant[] = [
    { bucket, prefix: '', access: 'read' },
    { bucket, prefix: 'in/secret/', access: 'none' },
  ];
  const disk = await openDiskWatch(await testFolder('watch'));
  const both = watchSource(disk.source, async () => bucketSource(namedBuckets(named)));
  const root = localRoot(disk.mediaRoot, grants);
  const where = { ...WHERE, folder: `s3://${bucket}/in/` };
  const watch = watchWith(both, root, where);
  expect(await watch.paths('full')).toEqual([`s3://${bucket}/in/1.mov`, `s3://${bucket}/in/a/2.mov`]);
  expect(watch.memory.storage).toBe('bucket');
  watch.memory.mark(`s3://${bucket}/in/secret/3.mov`);
  expect(await watch.paths('marked')).toEqual([]);
  expect(await both.find(root, `s3://${bucket}/in/1.mov` as MediaPath)).toMatchObject({ bytes: 8 });
  const stranger = watchWith(both, localRoot(disk.mediaRoot), where);
  await expect(stranger.scan('full')).rejects.toMatchObject({ reason: 'denied' });
  const none = watchWith(watchSource(disk.source, undefined), root, where);
  await expect(none.scan('full')).rejects.toMatchObject({ reason: 'denied' });
});
