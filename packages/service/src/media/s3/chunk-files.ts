import { open, rename, rm } from 'node:fs/promises';
import { CompleteMultipartUploadCommand, DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import { type MediaPath, RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import pLimit from 'p-limit';
import type { ChunkFiles } from '../../jobs/ports/chunk-files.ts';
import type { PrepareOptions } from '../../jobs/ports/media-store.ts';
import { rethrow, TargetError } from '../errno-codes.ts';
import { failed } from '../job-failures.ts';
import { READ_FLAGS } from '../scratch/directory-handle.ts';
import { withPass } from '../scratch/pass-folder.ts';
import { type MediaLog, scratchName } from '../scratch/scratch.ts';
import type { ScratchFolders } from '../scratch/scratch-folders.ts';
import { type Bucket, findObject, pathBelow } from './bucket.ts';
import { ifFound } from './errors.ts';
import { PARTS_IN_MEMORY, uploadParts } from './file-parts.ts';
import { listPages } from './list-pages.ts';
import { keyOf, type S3Location } from './location.ts';
import { abortUpload, beginMultipart, namesOf } from './multipart-uploads.ts';
import { MIN_PART_BYTES } from './part-sizes.ts';
import { runForAll } from './run-for-all.ts';
import { storageFailure } from './s3-failures.ts';
import { copyObjects } from './staging/copy-objects.ts';

export interface S3ChunkFilesOptions extends Pick<Bucket, 'client'> {
  /** The storage of the service. */
  readonly storage: S3Location;
  /** The name of the folder with the chunks. All services that share a database have the same. */
  readonly name: string;
  readonly folders: Pick<ScratchFolders, 'opened'>;
  /** Returns the free space of the disk with the scratch folders, in bytes. */
  readonly freeBytes: () => Promise<number>;
  /** The bytes that must stay free on this disk after chunks are copied to it. */
  readonly minFreeBytes: number;
  readonly log: MediaLog;
}

const STORING = 'storing a chunk';
const READING = 'reading a chunk';
const REMOVING = 'removing chunks';

const once = <T>(work: () => Promise<T>): Promise<T> => work();

/**
 * Stores each chunk as an object under a reserved prefix, which no client can name. This lets
 * services without a shared disk share their chunks.
 */
export function chunkFilesOnS3(options: S3ChunkFilesOptions): ChunkFiles {
  const { client, storage, folders, log } = options;
  const location = { bucket: storage.bucket, prefix: `${storage.prefix}${RESERVED_PREFIX}/${options.name}/` };
  const bucket: Bucket = { client, location };
  const space = copySpace(options);

  return {
    keep: (scratch, name, id, { signal = NEVER, whileDown = once } = {}) =>
      orFailure(STORING, signal, () =>
        withPass(folders, scratch, async (pass) => {
          const file = pass.pathOf(scratchName(name));
          const whole = await readSmall(file, name);
          if ('sizeBytes' in whole) await upload(bucket, file, id, whole.sizeBytes, { signal, whileDown });
          else
            await repeat(STORING, { whileDown }, () =>
              client.send(new PutObjectCommand({ ...objectOf(bucket, id), Body: whole.content }), {
                abortSignal: signal,
              }),
            );
          // The worker of the job joins the chunks, and need not copy those that it has encoded.
          await rename(file, pass.pathOf(keptName(id)));
          return 'sizeBytes' in whole ? whole.sizeBytes : whole.content.length;
        }),
      ),

    link: (scratch, id, name, { signal = NEVER, whileDown = once } = {}) =>
      orFailure(READING, signal, () =>
        withPass(folders, scratch, (pass) =>
          repeat(READING, { whileDown }, async () => {
            const file = pass.pathOf(scratchName(name));
            await rm(file, { force: true });
            const isMoved = await rename(pass.pathOf(keptName(id)), file).then(() => true, ignoreErrno('ENOENT'));
            return isMoved ?? (await copyTo(bucket, space, file, id, signal));
          }),
        ),
      ),

    remove: (ids, scratch) =>
      orFailure(REMOVING, NEVER, async () => {
        // Begin with the scratch folder, so that it has room again also while the object store is away.
        if (scratch !== undefined)
          await withPass(folders, scratch, async (pass) => {
            for (const id of ids) await rm(pass.pathOf(keptName(id)), { force: true });
          });
        await runForAll(ids, async (id) => {
          await client.send(new DeleteObjectCommand(objectOf(bucket, id)));
        });
      }),

    sweep: (readLive) =>
      orFailure(REMOVING, NEVER, async () => {
        const ids: string[] = [];
        for await (const { Contents = [] } of listPages(client, { Bucket: location.bucket, Prefix: location.prefix }))
          ids.push(...Contents.flatMap(({ Key }) => pathBelow(location.prefix, Key) ?? []));
        if (ids.length === 0) return;
        const live = await readLive();
        await runForAll(
          ids.filter((id) => !live.has(id)),
          async (id) => {
            await client
              .send(new DeleteObjectCommand({ Bucket: location.bucket, Key: location.prefix + id }))
              .catch((err: unknown) => log.warn({ err, name: id }, 'chunk of an earlier job not removed'));
          },
        );
      }),
  };
}

/** Copies a stored chunk to a new file. Resolves to false if there is no such chunk. */
async function copyTo(
  bucket: Bucket,
  space: ReturnType<typeof copySpace>,
  file: string,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { client, location } = bucket;
  const found = await findObject(bucket, pathOf(id), signal);
  if (found === undefined) return false;
  const reserved = await space.reserve(found.sizeBytes);
  try {
    await copyObjects([{ ...found, client, bucket: location.bucket, key: objectOf(bucket, id).Key, file }], {
      signal,
      onBytes: reserved.use,
      toFailure: (_path, error) => storageFailure(READING, error),
    });
  } catch (error) {
    // An interrupted copy would be in the way of the next one.
    if (error instanceof StorageDown) await rm(file, { force: true });
    throw error;
  } finally {
    reserved.end();
  }
  return true;
}

/** Uploads a file that does not fit into one part. */
async function upload(
  bucket: Bucket,
  file: string,
  id: string,
  sizeBytes: number,
  { signal, whileDown }: Required<PrepareOptions>,
): Promise<void> {
  const { client, location } = bucket;
  const object = { bucket: location.bucket, key: objectOf(bucket, id).Key };
  const uploadId = await repeat(STORING, { whileDown }, () => beginMultipart(client, object));
  const target = { ...object, uploadId };
  try {
    const etags = await uploadParts(
      client,
      { ...target, path: id, file, sizeBytes },
      {
        limit: pLimit(PARTS_IN_MEMORY),
        sendPart: (send) => repeat(STORING, { whileDown }, send),
        signal,
      },
    );
    const Parts = etags.map((etag, index) => ({ PartNumber: index + 1, ETag: `"${etag}"` }));
    await repeat(STORING, { whileDown }, async () => {
      // An earlier request may have completed the upload although its reply was lost, so the object decides.
      await ifFound(
        client.send(new CompleteMultipartUploadCommand({ ...namesOf(target), MultipartUpload: { Parts } })),
      );
      const found = await findObject(bucket, pathOf(id));
      if (found?.sizeBytes !== sizeBytes)
        throw failed('STORAGE_FAULT', 'The object store did not keep a chunk that was uploaded.');
    });
  } catch (error) {
    await abortUpload(client, target).catch(() => undefined);
    throw error;
  }
}

const pathOf = (id: string): MediaPath => scratchName(id) as MediaPath;

const objectOf = ({ location }: Bucket, id: string) => ({ Bucket: location.bucket, Key: keyOf(location, pathOf(id)) });

/** The name of a chunk that is stored and in a scratch folder too, because it was encoded there. */
const keptName = (id: string): string => scratchName(`stored-${id}`);

/** Shares the free space of the disk among copies that are made at the same time. */
function copySpace({ freeBytes, minFreeBytes }: Pick<S3ChunkFilesOptions, 'freeBytes' | 'minFreeBytes'>) {
  /** The bytes of copies that are not on the disk yet. */
  let missing = 0;
  return {
    /** Reserves space for a copy. Throws NO_SPACE. `use` counts bytes that are written, and `end` ends the reservation. */
    async reserve(sizeBytes: number) {
      const free = await freeBytes();
      if (free - missing - sizeBytes < minFreeBytes)
        throw failed('NO_SPACE', 'The disk of the worker has no room for copies of the chunks.');
      let left = sizeBytes;
      missing += left;
      const use = (bytes: number): void => {
        const used = Math.min(left, bytes);
        left -= used;
        missing -= used;
      };
      return { use, end: () => use(left) };
    },
  };
}

/** Reads a file that fits into one part, and only the size of a larger one. Throws TargetError if it is not a file. */
async function readSmall(
  file: string,
  name: string,
): Promise<{ readonly content: Buffer } | { readonly sizeBytes: number }> {
  await using handle = await open(file, READ_FLAGS);
  const stats = await handle.stat();
  if (!stats.isFile()) throw new TargetError('special', name);
  return stats.size > MIN_PART_BYTES ? { sizeBytes: stats.size } : { content: await handle.readFile() };
}

/** Runs `work`, and turns errors of S3 and of the disk into failures, so that `whileDown` repeats it. */
const repeat = <T>(
  action: string,
  { whileDown }: Pick<Required<PrepareOptions>, 'whileDown'>,
  work: () => Promise<T>,
): Promise<T> => whileDown(() => work().catch(rethrow((error) => storageFailure(action, error))));

/** Runs `work`. Throws the reason of an abort, and otherwise the failure of the job. */
async function orFailure<T>(action: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof JobFailed ? error : storageFailure(action, error);
  }
}
