import { type FileHandle, open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { ByteRange } from '@telecine/contract/domain/byte-ranges.ts';
import pLimit from 'p-limit';
import { writeAll } from '../../write-all.ts';
import { plainETag, s3ErrorKind } from '../errors.ts';
import { inputFailure, replacedWhileRead } from '../s3-failures.ts';

/** An object to copy to a local file. */
export interface ObjectCopy {
  readonly client: S3Client;
  readonly bucket: string;
  readonly key: string;
  /** The path of the client, for error messages. */
  readonly path: string;
  /** The ETag of the version to copy, without quotes. */
  readonly etag: string;
  readonly sizeBytes: number;
  /** The absolute path of the file to create, or of a partial copy (`isPartial`), which gets more bytes. */
  readonly file: string;
  readonly isPartial?: true;
  /** The bytes to copy. The rest of the file is then a hole. Absent: all. */
  readonly bytes?: readonly ByteRange[];
}

interface CopyOptions {
  /** An abort stops the copies at once. `copyObjects` then rejects with the reason of the abort. */
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
  /** A read fails after this time without a byte, in ms. Default: `STALL_MS`. */
  readonly stallMs?: number;
  /** Converts an error to the failure of the job. Default: `inputFailure`. */
  readonly toFailure?: typeof inputFailure;
}

/**
 * Objects are read in ranges of this size. It is so large that the wait for the first byte of a range matters little,
 * and so small that repeating a range costs little.
 */
const RANGE_BYTES = 16 * 2 ** 20;

/** The maximum number of ranges that one job reads at the same time. */
const RANGES_AT_ONCE = 16;

const STALL_MS = 20_000;

/**
 * How many times in a row reading a range may fail without a new byte. (The SDK also retries requests that fail before
 * a reply.)
 */
const MAX_FAILURES = 5;
const FIRST_PAUSE_MS = 200;

/**
 * Copies objects to files, several ranges at the same time. Throws INPUT_NOT_FOUND, INPUT_INVALID, NO_SPACE,
 * STORAGE_FAULT.
 */
export async function copyObjects(copies: readonly ObjectCopy[], options: CopyOptions): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const limit = pLimit(RANGES_AT_ONCE);
  const copyAll = copies.map(async (copy) => {
    try {
      await copyObject(copy, { ...options, signal }, limit);
    } catch (error) {
      failed.abort();
      throw (options.toFailure ?? inputFailure)(copy.path, error);
    }
  });
  const results = await Promise.allSettled(copyAll);
  options.signal.throwIfAborted();
  const rejected = results.filter((result) => result.status === 'rejected');
  // Report the error that aborted the other copies, not their abort errors.
  const first = rejected.find(({ reason }) => !isAbort(reason)) ?? rejected[0];
  if (first !== undefined) throw first.reason;
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

async function copyObject(copy: ObjectCopy, options: CopyOptions, limit: ReturnType<typeof pLimit>): Promise<void> {
  const ranges = (copy.bytes ?? [[0, copy.sizeBytes] as const]).flatMap(([from, to]) =>
    Array.from({ length: Math.ceil((to - from) / RANGE_BYTES) }, (_, i) => ({
      first: from + i * RANGE_BYTES,
      last: Math.min(from + (i + 1) * RANGE_BYTES, to) - 1,
    })),
  );
  let handle: Promise<FileHandle> | undefined;
  const results = await Promise.allSettled(
    ranges.map((range) =>
      limit(async () => {
        options.signal.throwIfAborted();
        handle ??= create(copy);
        await copyRange(copy, await handle, range, options);
      }),
    ),
  );
  await (await handle)?.close();
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function create({ file, bytes, sizeBytes, isPartial }: ObjectCopy): Promise<FileHandle> {
  if (isPartial) return open(file, 'r+');
  const handle = await open(file, 'wx', 0o600);
  if (bytes === undefined) return handle;
  try {
    await handle.truncate(sizeBytes);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Copies one range. If the connection fails, continues after the last byte that arrived. */
async function copyRange(
  copy: ObjectCopy,
  handle: FileHandle,
  { first, last }: { readonly first: number; readonly last: number },
  options: CopyOptions,
): Promise<void> {
  let at = first;
  for (let failures = 0; at <= last; ) {
    const from = at;
    try {
      for await (const chunk of readRange(copy, at, last, options)) {
        if (at + chunk.length > last + 1) throw replacedWhileRead(copy.path);
        await writeAll(handle, chunk, at);
        at += chunk.length;
        options.onBytes(chunk.length);
      }
      if (at <= last) throw new Stalled();
    } catch (error) {
      options.signal.throwIfAborted();
      failures = at > from ? 1 : failures + 1;
      if (!(error instanceof Stalled) && s3ErrorKind(error) !== 'unavailable') throw error;
      if (failures > MAX_FAILURES) throw error;
      await delay(FIRST_PAUSE_MS * 2 ** failures, undefined, { signal: options.signal });
    }
  }
}

/** Thrown if no byte arrives for `stallMs`, or if a reply ends too early. */
class Stalled extends Error {
  override readonly name = 'TimeoutError';
}

/** Reads bytes of an object. Throws INPUT_INVALID if the object was replaced, Stalled, and errors of S3. */
async function* readRange(
  { client, bucket, key, path, etag }: ObjectCopy,
  first: number,
  last: number,
  { signal, stallMs = STALL_MS }: CopyOptions,
): AsyncGenerator<Buffer> {
  const stall = new AbortController();
  const abortSignal = AbortSignal.any([signal, stall.signal]);
  const timer = setTimeout(() => stall.abort(), stallMs);
  try {
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: key,
      Range: `bytes=${first}-${last}`,
      IfMatch: `"${etag}"`,
    });
    const { Body, ETag } = await client.send(command, { abortSignal: signal });
    const body = addAbortSignal(abortSignal, Body as Readable);
    // Check the ETag too: a server may ignore the condition of the request.
    if (plainETag(ETag) !== etag) {
      body.destroy();
      throw replacedWhileRead(path);
    }
    for await (const chunk of body) {
      timer.refresh();
      yield chunk as Buffer;
    }
  } catch (error) {
    throw stall.signal.aborted && !signal.aborted ? new Stalled(undefined, { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}
