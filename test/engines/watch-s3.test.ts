import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect, onTestFinished } from 'vitest';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { BucketGrant } from '../../packages/contract/src/domain/media-root.ts';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { type NamedBucket, namedBuckets } from '../../packages/service/src/media/s3/bucket.ts';
import { bucketSource } from '../../packages/service/src/media/s3/bucket-source.ts';
import { s3Root } from '../../packages/service/src/media/s3/location.ts';
import { watchSource } from '../../packages/service/src/media/watch-source.ts';
import type { WatchedFolder } from '../../packages/service/src/watches/ports.ts';
import { scansOf, type WatchSourceWorld, watchSourceContract } from '../contracts/watch-sources.ts';
import { openDiskWatch } from '../fixtures/disk-watch.ts';
import { at } from '../fixtures/media-plans.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { newBucket, s3Server, testClient } from '../support/s3.ts';
import { type S3Fault, startS3Proxy } from '../support/s3-proxy.ts';

const test = needs('an S3 server');

const PREFIX = 'own/amy/';

const WHERE: WatchedFolder = { folder: 'in/', subfolders: true, accepts: (name) => name.endsWith('.mov') };

async function opened() {
  const client = testClient(s3Server());
  onTestFinished(() => client.destroy());
  const bucket = await newBucket(client);
  const root = s3Root({ bucket, prefix: 'own/' }, 'amy');
  const source = bucketSource(namedBuckets([], { client, location: { bucket, prefix: 'own/' } }));
  return {
    ...{ client, bucket, root, source },
    put: (path: string, content = path) => put(client, bucket, PREFIX + path, content),
    remove: (path: string) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: PREFIX + path })),
    ...scansOf({ source, root }, WHERE),
  };
}

const put = (client: S3Client, bucket: string, key: string, content: string): Promise<unknown> =>
  client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: content }));

watchSourceContract(async (): Promise<WatchSourceWorld> => {
  const { bucket, root, put: write, remove } = await opened();
  let fault: S3Fault | undefined;
  const proxy = await startS3Proxy(s3Server().endpoint, () => fault);
  const client = testClient(s3Server(), { endpoint: proxy.endpoint });
  onTestFinished(() => client.destroy());
  return {
    ...{ root, source: bucketSource(namedBuckets([], { client, location: { bucket, prefix: 'own/' } })) },
    put: async (path, content) => void (await write(path, content)),
    remove: async (path) => void (await remove(path)),
    setReachable: async (isReachable) => {
      fault = isReachable ? undefined : { status: 503, code: 'SlowDown' };
    },
    wait: () => {},
  };
}, test);

test('finds no objects with names that no request can have, and none of another client', async () => {
  const t = await opened();
  for (const name of ['1.mov', 'a/', 'b//6.mov', '.telecine-x/7.mov']) await t.put(`in/${name}`);
  await put(t.client, t.bucket, 'own/bob/in/9.mov', 'of another client');
  expect(await t.paths('full')).toEqual(['in/1.mov']);
  expect([t.memory.storage, t.memory.files]).toEqual(['bucket', 1]);
});

test('an object is whole, and has the same version with the same content', async () => {
  const t = await opened();
  await t.put('in/1.mov');
  const found = await t.scan('full');
  expect(found).toMatchObject([{ path: 'in/1.mov', bytes: 8, isWhole: true }]);
  expect(await t.source.find(t.root, at('in/1.mov'))).toMatchObject(found[0] ?? {});
  await t.put('in/1.mov');
  expect(await t.paths('quick')).toEqual([]);
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

test('a bucket that is missing or down is unreachable, and marks are kept', async () => {
  const t = await opened();
  const missing = namedBuckets([], { client: t.client, location: { bucket: `${t.bucket}-x`, prefix: 'own/' } });
  const other = scansOf({
    source: bucketSource(missing),
    root: s3Root({ bucket: `${t.bucket}-x`, prefix: 'own/' }, 'amy'),
  });
  other.memory.mark('in/1.mov');
  await expect(other.scan('quick')).rejects.toMatchObject({ name: 'FolderUnreachable', reason: 'denied' });
  expect(other.memory.hasMarks).toBe(true);
  let fault: S3Fault | undefined = { status: 503, code: 'SlowDown' };
  const proxy = await startS3Proxy(s3Server().endpoint, () => fault);
  const client = testClient(s3Server(), { endpoint: proxy.endpoint });
  onTestFinished(() => client.destroy());
  const source = bucketSource(namedBuckets([], { client, location: { bucket: t.bucket, prefix: 'own/' } }));
  const watch = scansOf({ source, root: t.root });
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
  const watch = scansOf({ source: both, root }, where);
  expect(await watch.paths('full')).toEqual([`s3://${bucket}/in/1.mov`, `s3://${bucket}/in/a/2.mov`]);
  expect(watch.memory.storage).toBe('bucket');
  watch.memory.mark(`s3://${bucket}/in/secret/3.mov`);
  expect(await watch.paths('marked')).toEqual([]);
  expect(await both.find(root, `s3://${bucket}/in/1.mov` as MediaPath)).toMatchObject({ bytes: 8 });
  const stranger = scansOf({ source: both, root: localRoot(disk.mediaRoot) }, where);
  await expect(stranger.scan('full')).rejects.toMatchObject({ reason: 'denied' });
  const none = scansOf({ source: watchSource(disk.source, undefined), root }, where);
  await expect(none.scan('full')).rejects.toMatchObject({ reason: 'denied' });
});
