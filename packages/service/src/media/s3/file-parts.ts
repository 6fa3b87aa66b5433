import { open } from 'node:fs/promises';
import { type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import type { LimitFunction } from 'p-limit';
import { TargetError } from '../errno-codes.ts';
import { READ_FLAGS } from '../scratch/directory-handle.ts';
import { plainETag } from './errors.ts';
import { outputPartBytes } from './part-sizes.ts';
import { runForAll } from './run-for-all.ts';

/** How many parts of large files one job may have in memory. */
export const PARTS_IN_MEMORY = 4;

export interface FileUpload {
  readonly bucket: string;
  readonly key: string;
  readonly uploadId: string;
  /** The path of the client, for error messages. */
  readonly path: string;
  readonly file: string;
  readonly sizeBytes: number;
}

/**
 * Files up to this size do not count for `PARTS_IN_MEMORY`, because `FILES_AT_ONCE` of them need less memory than two
 * large parts.
 */
const SMALL_FILE_BYTES = 2 ** 20;

interface PartOptions {
  /** Limits how many large parts are in memory, for all files together. */
  readonly limit: LimitFunction;
  /** Calls `send`, which sends a part. May call it again after an error. */
  readonly sendPart: (send: () => Promise<string>) => Promise<string>;
  readonly signal: AbortSignal;
}

/**
 * Uploads a file in parts. Resolves to the ETags of the parts, without quotes. Throws TargetError if it is not a
 * regular file, file system errors, and errors of `sendPart`.
 */
export async function uploadParts(
  client: S3Client,
  upload: FileUpload,
  { limit, sendPart, signal }: PartOptions,
): Promise<readonly string[]> {
  const { bucket, key, uploadId, sizeBytes } = upload;
  const partBytes = outputPartBytes(sizeBytes);
  const count = Math.max(1, Math.ceil(sizeBytes / partBytes));
  await using handle = await open(upload.file, READ_FLAGS);
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
  await runForAll(Array.from({ length: count }), sendInto, limit.concurrency);
  return etags;
}
