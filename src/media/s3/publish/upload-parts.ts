import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import type { LimitFunction } from 'p-limit';
import { TargetError } from '../../file-errors.ts';
import { all } from '../all.ts';
import { plainETag } from '../errors.ts';

/** A file to be uploaded. */
export interface FileUpload {
  readonly bucket: string;
  readonly key: string;
  readonly uploadId: string;
  /** The client's path, for messages. */
  readonly path: string;
  readonly file: string;
  readonly sizeBytes: number;
}

/** S3 requires 5 MiB. Larger parts need fewer requests and more memory. */
const MIN_PART_BYTES = 16 * 2 ** 20;

/** Files of this size need no limit of the parts in memory: `FILES_AT_ONCE` of them take less than two large parts. */
const SMALL_FILE_BYTES = 2 ** 20;

/** A tenth of what S3 allows, so that one list has all parts when another process completes the upload. */
const MAX_PARTS = 1000;

/** The flags for a file that ffmpeg wrote: never follow a symlink, never wait for a fifo. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Uploads a file in parts. `limit`: the limit of large parts in memory, for all files together. `sendPart`: sends each part, and
 * may repeat it. Resolves to the ETags of the parts, without quotes. Throws TargetError if the file is not a regular one, file
 * system errors, and what `sendPart` throws.
 */
export async function uploadParts(
  client: S3Client,
  upload: FileUpload,
  {
    limit,
    sendPart,
    signal,
  }: {
    readonly limit: LimitFunction;
    readonly sendPart: (send: () => Promise<string>) => Promise<string>;
    readonly signal: AbortSignal;
  },
): Promise<readonly string[]> {
  const { bucket, key, uploadId, sizeBytes } = upload;
  const partBytes = Math.max(MIN_PART_BYTES, Math.ceil(sizeBytes / MAX_PARTS));
  const count = Math.max(1, Math.ceil(sizeBytes / partBytes));
  const handle = await open(upload.file, FLAGS);
  try {
    if (!(await handle.stat()).isFile()) throw new TargetError('special', upload.path);
    const send = async (index: number): Promise<string> => {
      signal.throwIfAborted();
      const start = index * partBytes;
      const length = Math.min(partBytes, sizeBytes - start);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, start);
      if (bytesRead < length) throw new Error(`${upload.path} became shorter while it was uploaded.`);
      const { ETag } = await client.send(
        new UploadPartCommand({ Bucket: bucket, Key: key, UploadId: uploadId, PartNumber: index + 1, Body: buffer }),
        { abortSignal: signal },
      );
      return plainETag(ETag);
    };
    if (sizeBytes <= SMALL_FILE_BYTES) return [await sendPart(() => send(0))];
    const etags: string[] = [];
    const sendInto = async (_part: unknown, index: number): Promise<void> => {
      etags[index] = await limit(() => sendPart(() => send(index)));
    };
    await all(Array.from({ length: count }), sendInto, limit.concurrency);
    return etags;
  } finally {
    await handle.close();
  }
}
