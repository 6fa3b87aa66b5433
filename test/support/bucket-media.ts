import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { testFolder } from './folders.ts';
import { filesBelow, isShown, type TestMedia } from './test-media.ts';

/** The files of a media root in a bucket. `prefix`: '' or ends with a slash. */
export function bucketMedia(client: S3Client, bucket: string, prefix: string): TestMedia {
  const keyOf = (path: string): string => prefix + path;
  const list = async (folder = ''): Promise<readonly string[]> => {
    const base = keyOf(folder === '' ? '' : `${folder.replace(/\/$/, '')}/`);
    const keys: string[] = [];
    for (let token: string | undefined, more = true; more; ) {
      const page: ListObjectsV2CommandOutput = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: base, ContinuationToken: token }),
      );
      keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key));
      token = page.NextContinuationToken;
      more = page.IsTruncated === true;
    }
    return keys
      .map((key) => key.slice(base.length))
      .filter(isShown)
      .toSorted();
  };
  const get = async (path: string): Promise<Buffer> => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(path) }));
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  };
  const put = async (path: string, content: string | Uint8Array): Promise<void> => {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: keyOf(path), Body: content }));
  };
  const copyTo = async (folder: string, path: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), await get(path));
  };
  return {
    put,
    fill: async (write) => {
      const folder = await testFolder('media');
      await write(folder);
      for (const path of await filesBelow(folder)) await put(path, await readFile(join(folder, path)));
      await rm(folder, { recursive: true });
    },
    get,
    remove: async (path) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(path) }));
    },
    list,
    copyTo,
    local: async (path) => {
      const folder = await testFolder('copy');
      await copyTo(folder, path);
      return join(folder, path);
    },
    localFolder: async (folder = '') => {
      const copy = await testFolder('copy');
      for (const path of await list(folder)) await copyTo(copy, join(folder, path));
      return join(copy, folder);
    },
    below: (folder) => bucketMedia(client, bucket, `${keyOf(folder)}/`),
  };
}
