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
import { pathsBelow, testFolder } from './folders.ts';

/** The files of a media root or of a folder in it, on a disk or in a bucket. Paths are relative to it. */
export interface TestMedia {
  put(path: string, content: string | Uint8Array): Promise<void>;
  /** Puts the files that `write` writes to a folder. */
  fill(write: (folder: string) => Promise<unknown>): Promise<void>;
  /** Throws if there is no file. */
  get(path: string): Promise<Buffer>;
  remove(path: string): Promise<void>;
  /** The paths of the files in a folder and below it, sorted, relative to it. Without reserved paths. */
  list(folder?: string): Promise<readonly string[]>;
  /** The host path of a file, for programs: on a disk the file itself, otherwise a copy. */
  local(path: string): Promise<string>;
  /** Copies a file to its path in a host folder. On a disk, `folder` must be the media root, and nothing is copied. */
  copyTo(folder: string, path: string): Promise<void>;
  /** The host path of a folder with all its files. */
  localFolder(folder?: string): Promise<string>;
  /** The files of a folder. */
  below(folder: string): TestMedia;
}

const isShown = (path: string): boolean => !path.startsWith('.telecine');

/** The files of a media root on a disk. */
export const diskMedia = (root: string): TestMedia => ({
  put: async (path, content) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  },
  fill: async (write) => {
    await mkdir(root, { recursive: true });
    await write(root);
  },
  get: (path) => readFile(join(root, path)),
  remove: (path) => rm(join(root, path)),
  list: async (folder = '') => (await filesBelow(join(root, folder))).filter(isShown),
  local: async (path) => join(root, path),
  copyTo: async () => {},
  localFolder: async (folder = '') => join(root, folder),
  below: (folder) => diskMedia(join(root, folder)),
});

const filesBelow = async (folder: string): Promise<readonly string[]> => {
  const paths = await pathsBelow(folder);
  const folders = new Set(paths.map((path) => dirname(path)));
  return paths.filter((path) => !folders.has(path)).toSorted();
};

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
