import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { retryAfterMs } from '@telecine/contract/domain/retry-after.ts';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { OutgoingError } from '../../outgoing/outgoing-error.ts';
import type { OutgoingReply } from '../../outgoing/outgoing-request.ts';
import { rethrow } from '../errno-codes.ts';
import { emptyInput } from '../job-failures.ts';
import { contentKind, HEAD_BYTES } from './content-kind.ts';
import { encodedInput, fetchFailure, incompleteInput, notAFile, statusFailure } from './url-failures.ts';

export interface FileFetch {
  /** The whole URL. A user name and a password in it are sent as Basic authentication. */
  readonly url: string;
  /** The part of the URL that messages may show. */
  readonly path: string;
  /** The absolute path of the file to create. */
  readonly file: string;
}

interface FetchFileOptions {
  /** An abort ends the fetch at once. `fetchFile` then rejects with the reason of the abort. */
  readonly signal: AbortSignal;
  /**
   * Called before the first byte, and after each chunk. `bytes`: how many bytes are on disk. `total`: the size of the
   * file, if it is known. If it throws, the fetch ends with its error.
   */
  readonly onBytes: (bytes: number, total: number | undefined) => void | Promise<void>;
  /** The pause after the first failure. It doubles with each further failure. Default: 500 ms. */
  readonly firstPauseMs?: number;
}

const MAX_REDIRECTS = 5;
const REPLY_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 30_000;

/** How many times in a row a fetch may fail without a new byte. */
const MAX_FAILURES = 4;
/** How many times a fetch may start again at the first byte, if the server cannot continue the file. */
const MAX_RESTARTS = 3;
/**
 * The maximum number of requests for one file, so that a server that closes the connection after every few bytes does
 * not occupy a worker for ever.
 */
const MAX_REQUESTS = 100;
const FIRST_PAUSE_MS = 500;
/**
 * The longest Retry-After for which a fetch waits. A longer one ends the attempt of the job, and the next attempt comes
 * later.
 */
const MAX_RETRY_AFTER_MS = 60_000;

interface Progress {
  bytes: number;
  etag: string | undefined;
  total: number | undefined;
  /** How many times the fetch has started at the first byte. */
  starts: number;
  /** The first bytes of the file, until they are enough to decide its kind. undefined: the kind is known. */
  head: Buffer | undefined;
}

/** A failure after which `fetchFile` sends another request. */
class Transient extends Error {
  readonly failure: JobFailed;
  readonly waitMs: number | undefined;

  constructor(failure: JobFailed, waitMs?: number) {
    super(failure.message);
    this.failure = failure;
    this.waitMs = waitMs;
  }
}

/**
 * Fetches a file, and resolves to its size. After a transient failure, continues after the last byte if the server
 * tells which version of the file it sends, and otherwise starts again. Throws INPUT_NOT_FOUND, INPUT_INVALID,
 * INPUT_UNAVAILABLE, NO_SPACE, STORAGE_FAULT, and errors of `onBytes`.
 */
export async function fetchFile(client: OutgoingClient, fetch: FileFetch, options: FetchFileOptions): Promise<number> {
  const { signal, firstPauseMs = FIRST_PAUSE_MS } = options;
  const progress: Progress = { bytes: 0, etag: undefined, total: undefined, starts: 0, head: Buffer.alloc(0) };
  await using handle = await open(fetch.file, 'wx', 0o600).catch(rethrow((error) => fetchFailure(fetch.path, error)));
  let failures = 0;
  for (let requests = 1; ; requests++) {
    const before = progress.bytes;
    try {
      await fetchRest(client, fetch, handle, progress, options);
      if (progress.bytes === 0) throw emptyInput(fetch.path);
      return progress.bytes;
    } catch (error) {
      signal.throwIfAborted();
      const transient = asTransient(fetch.path, error);
      if (transient === undefined) throw fetchFailure(fetch.path, error);
      failures = progress.bytes > before ? 1 : failures + 1;
      const cannotContinue = progress.etag === undefined && progress.starts > MAX_RESTARTS;
      if (failures > MAX_FAILURES || cannotContinue || requests === MAX_REQUESTS) throw transient.failure;
      const waitMs = transient.waitMs ?? firstPauseMs * 2 ** (failures - 1);
      if (waitMs > MAX_RETRY_AFTER_MS) throw transient.failure;
      await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

function asTransient(path: string, error: unknown): Transient | undefined {
  if (error instanceof Transient) return error;
  if (!(error instanceof OutgoingError) || !error.isTransient) return undefined;
  const failure = fetchFailure(path, error);
  return failure instanceof JobFailed ? new Transient(failure) : undefined;
}

/** Sends one request and writes the reply to the file. Resolves when the file is complete. */
async function fetchRest(
  client: OutgoingClient,
  { url, path }: FileFetch,
  handle: FileHandle,
  progress: Progress,
  { signal, onBytes }: FetchFileOptions,
): Promise<void> {
  const { bytes, etag, total } = progress;
  const rest = bytes > 0 && etag !== undefined ? { from: bytes, etag, total } : undefined;
  const reply = await client.send({
    url: new URL(url),
    method: 'GET',
    headers: { accept: '*/*', 'user-agent': 'telecine', ...(rest && restHeaders(rest.from, rest.etag)) },
    isUserAllowed: true,
    maxRedirects: MAX_REDIRECTS,
    replyTimeoutMs: REPLY_TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    maxBodyBytes: Number.MAX_SAFE_INTEGER,
    signal,
  });
  try {
    const part = readReply(path, reply, rest);
    if (part === undefined) {
      restart(progress);
      throw new Transient(incompleteInput(path));
    }
    if (part.from === 0) {
      restart(progress);
      progress.starts += 1;
      await handle.truncate(0);
    }
    progress.etag = part.etag;
    progress.total = part.total;
    await onBytes(progress.bytes, progress.total);
    for await (const chunk of reply.body) {
      checkHead(path, progress, chunk);
      await writeAll(handle, chunk, progress.bytes);
      progress.bytes += chunk.length;
      await onBytes(progress.bytes, progress.total);
    }
    checkHead(path, progress, undefined);
  } finally {
    reply.discard();
  }
  if (progress.total === undefined || progress.bytes === progress.total) return;
  if (progress.bytes > progress.total) restart(progress);
  throw new Transient(incompleteInput(path));
}

/** Writes a chunk. On a nearly full disk, one write may store only a part of it, so the rest is written again. */
async function writeAll(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < chunk.length; )
    written += (await handle.write(chunk, written, chunk.length - written, position + written)).bytesWritten;
}

function restart(progress: Progress): void {
  progress.bytes = 0;
  progress.etag = undefined;
  progress.total = undefined;
  progress.head = Buffer.alloc(0);
}

/**
 * Returns which part of the file a reply contains. undefined: the reply does not continue the file. Throws if the reply
 * contains nothing of the file.
 */
function readReply(path: string, reply: OutgoingReply, rest: Parameters<typeof partOfFile>[1]): PartOfFile | undefined {
  const { status, headers } = reply;
  if (status === 416 && rest !== undefined) return undefined;
  if (status !== 200 && status !== 206) {
    const failure = statusFailure(path, reply);
    if (failure.failure.code !== 'INPUT_UNAVAILABLE' || failure.nonRetryable) throw failure;
    throw new Transient(failure, retryAfterMs(headers['retry-after'], Date.now()));
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && !/^(?:identity)?$/i.test(encoding)) throw encodedInput(path, encoding);
  return partOfFile(reply, rest);
}

/**
 * Throws if the first bytes of the file show that it is a list of other files. `chunk`: undefined at the end of the
 * file.
 */
function checkHead(path: string, progress: Progress, chunk: Uint8Array | undefined): void {
  if (progress.head === undefined) return;
  const head = chunk === undefined ? progress.head : Buffer.concat([progress.head, chunk.subarray(0, HEAD_BYTES)]);
  progress.head = head.length < HEAD_BYTES && chunk !== undefined ? head : undefined;
  if (progress.head !== undefined) return;
  const kind = contentKind(head.subarray(0, HEAD_BYTES));
  if (kind !== undefined) throw notAFile(path, kind);
}

interface PartOfFile {
  /** The offset of the first byte of the part. */
  readonly from: number;
  /**
   * The size of the whole file. undefined: the server did not tell it, which is possible only in a reply from the first
   * byte on.
   */
  readonly total: number | undefined;
  /** The ETag, if it is strong. Two different files can have the same weak ETag. */
  readonly etag: string | undefined;
}

/**
 * The headers of a request for the rest of a file. With `if-range`, the server sends only the rest if the ETag still
 * matches, and otherwise the whole file (RFC 9110, 13.1.5).
 */
const restHeaders = (from: number, etag: string): Record<string, string> => ({
  range: `bytes=${from}-`,
  'if-range': etag,
});

/**
 * Reads a reply with status 200 or 206. Returns undefined if the reply does not continue the file, because its offset,
 * version or size differs from the expected one, or because the size is unknown.
 *
 * @param expected The requested part, and the size of the file if it is known. undefined: the whole file was requested.
 */
export function partOfFile(
  { status, headers }: Pick<OutgoingReply, 'status' | 'headers'>,
  expected?: { readonly from: number; readonly etag: string; readonly total: number | undefined },
): PartOfFile | undefined {
  const etag = strongETag(headers['etag']);
  if (status === 200) return { from: 0, total: byteCount(headers['content-length']), etag };
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
  if (expected === undefined || Number(first) !== expected.from || Number(last) < expected.from) return undefined;
  // Compare the ETag, which a correct reply to If-Range contains (RFC 9110, 15.3.7): a server that ignores If-Range may
  // send another version of the file.
  if (etag !== expected.etag) return undefined;
  const total = byteCount(size) ?? expected.total;
  if (total === undefined || (expected.total !== undefined && total !== expected.total)) return undefined;
  return { from: expected.from, total, etag: expected.etag };
}

const strongETag = (etag: string | undefined): string | undefined =>
  etag !== undefined && /^"[\x21\x23-\x7e]*"$/.test(etag) ? etag : undefined;

function byteCount(text: string | undefined): number | undefined {
  const count = Number(text ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
