import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { s3Client } from '../../../packages/service/src/media/s3/client.ts';
import { ifFound } from '../../../packages/service/src/media/s3/errors.ts';
import { listParts } from '../../../packages/service/src/media/s3/multipart-uploads.ts';
import { OUTPUT_METADATA } from '../../../packages/service/src/media/s3/object-facts.ts';
import type { S3Server } from '../../support/radosgw.ts';
import { filesIn, RECEIPTS } from '../service-state.ts';
import { type StatFile, statOnDisk } from '../soak/ledger.ts';

/** Where the services of a cluster store media. */
export interface ClusterMedia {
  /** The S3 server. Absent if the media are on the disk that all services share. */
  readonly store?: S3Server;
  /** The settings of all services. */
  readonly env: Readonly<Record<string, string>>;
  readonly stat: StatFile;
  /** Writes a file at once, as another program does. */
  put(path: string, content: Buffer): Promise<void>;
  /** A folder with all files. */
  folder(): Promise<string>;
  /** What no job may leave in the store. `kept`: the names of files that a retry may use. */
  leftovers(kept: ReadonlySet<string>): Promise<readonly string[]>;
}

export const mediaOnDisk = (mediaRoot: string): ClusterMedia => ({
  env: {},
  stat: statOnDisk(mediaRoot),
  put: async (path, content) => {
    await mkdir(dirname(join(mediaRoot, path)), { recursive: true });
    await writeFile(join(mediaRoot, path), content);
  },
  folder: async () => mediaRoot,
  leftovers: async () => [],
});

const BUCKET = 'soak';
const PREFIX = 'telecine/';

/** Repeats a request until the server is there again, which a fault may have killed. */
async function whileDown<T>(send: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await send();
    } catch (error) {
      if (!DOWN.has((error as NodeJS.ErrnoException).code)) throw error;
      await delay(200);
    }
}
const DOWN: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** Creates a bucket with the files of `mediaRoot`. `copies`: a new folder for its files. */
export async function mediaOnS3(
  closers: AsyncDisposableStack,
  store: S3Server,
  mediaRoot: string,
  copies: string,
): Promise<ClusterMedia> {
  const { endpoint, accessKeyId, secretAccessKey } = store;
  const credentials = { accessKeyId, secretAccessKey };
  const client = s3Client({ endpoint, region: 'us-east-1', credentials });
  closers.defer(() => client.destroy());
  const Bucket = `${BUCKET}-${Date.now()}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  for (const path of await filesIn(mediaRoot))
    await client.send(
      new PutObjectCommand({ Bucket, Key: PREFIX + path, Body: await readFile(join(mediaRoot, path)) }),
    );
  const paths = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: PREFIX }))
      found.push(...Contents.map(({ Key = '' }) => Key.slice(PREFIX.length)));
    return found;
  };
  return {
    store,
    env: {
      TELECINE_STORAGE: `s3://${Bucket}/${PREFIX}`,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
    stat: async (path) => {
      const head = await whileDown(() => ifFound(client.send(new HeadObjectCommand({ Bucket, Key: PREFIX + path }))));
      return (
        head && {
          sizeBytes: head.ContentLength ?? 0,
          version: `${head.ETag} of ${head.Metadata?.[OUTPUT_METADATA]}, written ${head.LastModified?.toISOString()}`,
        }
      );
    },
    put: async (path, content) => {
      await client.send(new PutObjectCommand({ Bucket, Key: PREFIX + path, Body: content }));
    },
    folder: async () => {
      for (const path of await paths()) {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: PREFIX + path }));
        await mkdir(dirname(join(copies, path)), { recursive: true });
        await writeFile(join(copies, path), (await Body?.transformToByteArray()) ?? '');
      }
      return copies;
    },
    leftovers: async (kept) => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      // An upload whose beginning was not answered has no parts, takes no space, and is aborted some days later.
      const parts = await Promise.all(
        Uploads.map(async ({ Key = '', UploadId = '' }) =>
          ((await ifFound(listParts(client, { bucket: Bucket, key: Key, uploadId: UploadId }))) ?? []).map(
            ({ PartNumber }) => `part ${PartNumber} of ${Key}`,
          ),
        ),
      );
      return [
        ...parts.flat(),
        ...(await paths())
          .filter((path) => path.includes('.telecine') && !path.startsWith(RECEIPTS) && !kept.has(basename(path)))
          .map((path) => `object ${path}`),
      ];
    },
  };
}
