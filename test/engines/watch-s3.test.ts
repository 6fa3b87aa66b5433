import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect, onTestFinished } from 'vitest';
import { isBucketPath } from '../../packages/contract/src/domain/bucket-path.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { BucketGrant } from '../../packages/contract/src/domain/media-root.ts';
import { NEVER } from '../../packages/contract/src/domain/steps.ts';
import type { FileStore } from '../../packages/service/src/files/ports.ts';
import { bucketFiles } from '../../packages/service/src/media/bucket-media.ts';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { type NamedBucket, namedBuckets } from '../../packages/service/src/media/s3/bucket.ts';
import { type S3FilesOptions, s3Files } from '../../packages/service/src/media/s3/files/s3-files.ts';
import { s3Root } from '../../packages/service/src/media/s3/location.ts';
import { bucketReads } from '../../packages/service/src/start/s3-storage.ts';
import { type WatchedFolders, watchedFolders } from '../../packages/service/src/watches/watched-folders.ts';
import { type WatchedFoldersWorld, watchedFoldersContract } from '../contracts/watched-folders.ts';
import { at } from '../fixtures/media-plans.ts';
import { needs } from '../support/needs.ts';
import { newBucket, s3Server, testClient } from '../support/s3.ts';
import { type S3Fault, startS3Proxy } from '../support/s3-proxy.ts';

const test = needs('an S3 server');

const PREFIX = 'own/amy/';

/** The folders of a media root in a bucket. `client`: that of the service. */
const foldersOf = (client: S3Client): WatchedFolders =>
  watchedFolders(s3Files({ client } as S3FilesOptions), { statPaths: async () => [] }, () => true);

async function opened() {
  const client = testClient(s3Server());
  onTestFinished(() => client.destroy());
  const bucket = await newBucket(client);
  const root = s3Root({ bucket, prefix: 'own/' }, 'amy');
  const folders = foldersOf(client);
  return {
    ...{ client, bucket, root, folders },
    put: (path: string, content = path) => put(client, bucket, PREFIX + path, content),
    remove: (path: string) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: PREFIX + path })),
    list: () => folders.list(root, 'in/', NEVER),
  };
}

const put = (client: S3Client, bucket: string, key: string, content: string): Promise<unknown> =>
  client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: content }));

/** A client whose requests fail while `fault` returns a fault. */
async function faultyClient(fault: () => S3Fault | undefined): Promise<S3Client> {
  const proxy = await startS3Proxy(s3Server().endpoint, fault);
  const client = testClient(s3Server(), { endpoint: proxy.endpoint });
  onTestFinished(() => client.destroy());
  return client;
}

watchedFoldersContract(async (): Promise<WatchedFoldersWorld> => {
  const { bucket, root, client, put: write, remove } = await opened();
  let fault: S3Fault | undefined;
  return {
    ...{ root, folders: foldersOf(await faultyClient(() => fault)) },
    put: async (path, content) => void (await write(path, content)),
    remove: async (path) => void (await remove(path)),
    rename: async (from, to) => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: PREFIX + from }));
      for (const { Key = '' } of Contents) {
        const target = PREFIX + to + Key.slice(PREFIX.length + from.length);
        await client.send(new CopyObjectCommand({ Bucket: bucket, CopySource: `${bucket}/${Key}`, Key: target }));
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
      }
    },
    setReachable: async (isReachable) => {
      fault = isReachable ? undefined : { status: 503, code: 'SlowDown' };
    },
  };
}, test);

test('finds no objects with names that no request can have, and none of another client', async () => {
  const t = await opened();
  for (const name of ['1.mov', 'a/', 'b//6.mov', '.telecine-x/7.mov']) await t.put(`in/${name}`);
  await put(t.client, t.bucket, 'own/bob/in/9.mov', 'of another client');
  expect((await t.list()).map(({ path }) => path)).toEqual(['in/1.mov']);
});

test('an object has the same version with the same content', async () => {
  const t = await opened();
  await t.put('in/1.mov');
  const found = await t.list();
  await t.put('in/1.mov');
  expect(await t.list()).toEqual(found);
});

test('a multipart upload counts when it is completed', async () => {
  const t = await opened();
  const object = { Bucket: t.bucket, Key: `${PREFIX}in/1.mov` };
  const { UploadId } = await t.client.send(new CreateMultipartUploadCommand(object));
  const part = { ...object, UploadId, PartNumber: 1 };
  const { ETag } = await t.client.send(new UploadPartCommand({ ...part, Body: 'film' }));
  expect(await t.list()).toEqual([]);
  await t.client.send(
    new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts: [{ ETag, PartNumber: 1 }] } }),
  );
  expect(await t.list()).toMatchObject([{ path: 'in/1.mov', bytes: 4 }]);
});

test('a bucket that is missing or down is unreachable', async () => {
  const t = await opened();
  const missing = s3Root({ bucket: `${t.bucket}-x`, prefix: 'own/' }, 'amy');
  await expect(t.folders.list(missing, 'in/', NEVER)).rejects.toMatchObject({ code: 'FOLDER_UNREACHABLE' });
  let fault: S3Fault | undefined = { status: 503, code: 'SlowDown' };
  const folders = foldersOf(await faultyClient(() => fault));
  await t.put('in/1.mov');
  const list = () => folders.list(t.root, 'in/', NEVER);
  await expect(list()).rejects.toMatchObject({ code: 'FOLDER_UNREACHABLE' });
  await expect(folders.find(t.root, at('in/1.mov'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  // A reply that breaks off is no list.
  fault = { cutAfterBytes: 300 };
  await expect(list()).rejects.toMatchObject({ code: 'FOLDER_UNREACHABLE' });
  fault = undefined;
  expect(await list()).toHaveLength(1);
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
  const disk = { open: noFile, listTree: noFile } as unknown as FileStore;
  const foldersWith = (load: Parameters<typeof bucketFiles>[1]) =>
    watchedFolders(bucketFiles(disk, load), { statPaths: async () => [] }, isBucketPath);
  const folders = foldersWith(async () => bucketReads(namedBuckets(named)));
  const root = localRoot('/media', grants);
  const folder = `s3://${bucket}/in/`;
  const paths = async (where: string) => (await folders.list(root, where, NEVER)).map(({ path }) => path).toSorted();
  expect(await paths(folder)).toEqual([`s3://${bucket}/in/1.mov`, `s3://${bucket}/in/a/2.mov`]);
  expect(await paths(`s3://${bucket}/`)).toContain(`s3://${bucket}/out/4.mov`);
  expect(await folders.find(root, `s3://${bucket}/in/1.mov` as MediaPath)).toMatchObject({ bytes: 8 });
  const unreachable = { code: 'FOLDER_UNREACHABLE' };
  await expect(folders.list(localRoot('/media'), folder, NEVER)).rejects.toMatchObject(unreachable);
  await expect(foldersWith(undefined).list(root, folder, NEVER)).rejects.toMatchObject(unreachable);
});

const noFile = async (): Promise<never> => {
  throw new Error('The disk has no such file.');
};
