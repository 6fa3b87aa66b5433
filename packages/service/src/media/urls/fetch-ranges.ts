import { type FileHandle, open } from 'node:fs/promises';
import type { ByteRange } from '@telecine/contract/domain/byte-ranges.ts';
import type { WholeReason } from '@telecine/contract/domain/chunks.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import pLimit from 'p-limit';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import type { OutgoingReply } from '../../outgoing/outgoing-request.ts';
import { rethrow } from '../errno-codes.ts';
import { writeAll } from '../write-all.ts';
import { HEAD_BYTES } from './content-kind.ts';
import { type FileFetch, requireMedia } from './fetch-file.ts';
import {
  partOfFile,
  rangeHeaders,
  repeatFetch,
  requestFile,
  requireContent,
  Transient,
  type UrlFile,
} from './file-requests.ts';
import { fetchFailure, incompleteInput, otherVersion } from './url-failures.ts';

/** Parts of one version of a file. */
export interface RangesFetch extends FileFetch {
  /** The bytes to fetch, in order and without overlaps. The rest of the created file is a hole. */
  readonly bytes: readonly ByteRange[];
  /** See `fileVersion`. */
  readonly version: string;
}

interface FetchRangesOptions {
  /** An abort ends the fetch at once. `fetchRanges` then rejects with the reason of the abort. */
  readonly signal: AbortSignal;
  /** Called with the size of the whole file before anything is written. If it throws, the fetch ends with its error. */
  readonly onSize: (sizeBytes: number) => Promise<void>;
  /** Called with the number of bytes that were written since the last call. If it throws, the fetch ends with its error. */
  readonly onBytes: (bytes: number) => Promise<void>;
  /** See `fetchFile`. */
  readonly firstPauseMs?: number;
}

/** The maximum number of ranges that are fetched from a server at the same time. */
const AT_ONCE = 4;

interface RunningFetch extends FetchRangesOptions {
  readonly client: OutgoingClient;
  readonly fetch: RangesFetch;
  readonly handle: FileHandle;
  /** The size of the whole file. undefined: no reply has arrived. */
  size: number | undefined;
}

/**
 * Fetches ranges of a file, and resolves to the size of the whole file. Throws like `fetchFile`, and INPUT_INVALID if the
 * server has another version of the file by now.
 */
export async function fetchRanges(
  client: OutgoingClient,
  fetch: RangesFetch,
  options: FetchRangesOptions,
): Promise<number> {
  await using handle = await open(fetch.file, 'wx+', 0o600).catch(rethrow((error) => fetchFailure(fetch.path, error)));
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const running: RunningFetch = { ...options, client, fetch, handle, signal, size: undefined };
  const [first = [0, 0], ...others] = fetch.bytes;
  // The first reply tells the size, which decides whether there is room.
  await fetchRange(running, first);
  if (first[0] === 0) await checkHead(fetch.path, handle);
  const limit = pLimit(AT_ONCE);
  const fetchOrStop = (range: ByteRange): Promise<void> =>
    fetchRange(running, range).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });
  // Wait for all: none may write after the file is closed.
  await Promise.allSettled(others.map((range) => limit(() => fetchOrStop(range))));
  signal.throwIfAborted();
  return running.size ?? 0;
}

/** Fetches one range. If the connection fails, continues after the last byte that arrived. */
async function fetchRange(running: RunningFetch, [from, to]: ByteRange): Promise<void> {
  const { client, fetch, handle, signal, onBytes, firstPauseMs } = running;
  let at = from;
  await repeatFetch(fetch.path, { signal, firstPauseMs, countBytes: () => at }, async () => {
    // The connection may have failed behind the last byte.
    if (at === to) return;
    const part = { from: at, version: fetch.version };
    const request = { signal, maxBodyBytes: to - at };
    const reply = await requestFile(client, fetch, rangeHeaders(part, to - 1), request);
    try {
      await readSize(running, reply, at);
      for await (const chunk of reply.body) {
        await writeAll(handle, chunk, at);
        at += chunk.length;
        await onBytes(chunk.length);
      }
    } finally {
      reply.discard();
    }
    if (at < to) throw new Transient(incompleteInput(fetch.path));
  });
}

/** Reads the size of the file from a reply. Throws if the reply is no part of the version. */
async function readSize(running: RunningFetch, reply: OutgoingReply, from: number): Promise<void> {
  const { fetch, handle, onSize } = running;
  if (!isPart(reply)) throw otherVersion(fetch.path, reply.url.host);
  requireContent(fetch.path, reply);
  const total = partOfFile(reply, { from, version: fetch.version, total: running.size })?.total;
  if (total === undefined) throw otherVersion(fetch.path, reply.url.host);
  if (running.size !== undefined) return;
  await onSize(total);
  running.size = total;
  await handle.truncate(total);
}

/** The statuses of a server that has another version, or sends the whole file only. A failure is neither. */
const NOT_PARTS: ReadonlySet<number> = new Set([200, 412, 416]);

const isPart = ({ status }: Pick<OutgoingReply, 'status'>): boolean => !NOT_PARTS.has(status);

/** Throws if the first bytes are those of a list of other files: a server may send other content than before. */
async function checkHead(path: string, handle: FileHandle): Promise<void> {
  const head = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0);
  requireMedia(path, head.subarray(0, bytesRead));
}

interface FindVersionOptions {
  readonly signal: AbortSignal;
  /** The version of which parts are needed. undefined: any that the server names. */
  readonly version: string | undefined;
  /** Whether to send one request only. */
  readonly isQuick: boolean;
  /** After how many ms without a reply the server has none. */
  readonly maxWaitMs: number;
}

/**
 * Finds out by a request for one byte whether a server sends parts of a file, and of which version. Resolves to a reason
 * if it does not. Throws only the reason of an abort.
 */
export async function findVersion(
  client: OutgoingClient,
  file: UrlFile,
  { signal, version, isQuick, maxWaitMs }: FindVersionOptions,
): Promise<{ readonly version: string } | WholeReason> {
  const { path } = file;
  const late = AbortSignal.timeout(maxWaitMs);
  const ended = AbortSignal.any([signal, late]);
  const request = async (): Promise<{ readonly version: string } | WholeReason> => {
    const part = { from: 0, version };
    const reply = await requestFile(client, file, rangeHeaders(part, 0), { signal: ended });
    try {
      const { host } = reply.url;
      if (!isPart(reply)) return { whole: version === undefined ? noParts(host) : noPartsOfVersion(host) };
      requireContent(path, reply);
      const found = partOfFile(reply, { ...part, total: undefined })?.version;
      return found === undefined ? { whole: noVersion(host) } : { version: found };
    } finally {
      reply.discard();
    }
  };
  try {
    if (!isQuick) return await repeatFetch(path, { signal: ended, countBytes: () => 0 }, request);
    return await request();
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return { whole: `${new URL(path).host} did not reply within ${maxWaitMs / 1000} s.` };
    const failure = error instanceof Transient ? error.failure : fetchFailure(path, error);
    if (failure instanceof JobFailed) return { whole: failure.message };
    throw failure;
  }
}

const noParts = (host: string): string =>
  `${host} sends the whole input when a part is requested, so each worker would fetch all of it.`;

const noPartsOfVersion = (host: string): string =>
  `${host} sends the whole input when a part is requested, or has replaced the input, so each worker would fetch all of it.`;

const noVersion = (host: string): string =>
  `${host} does not say which version of the input it sends, so parts of it might not fit together. It must send a strong ETag, or a Last-Modified that is a minute old.`;

/** Why parts of a copy that was fetched cannot be fetched: the reply named no version. */
export const withoutVersion = ({ path }: Pick<UrlFile, 'path'>): WholeReason => ({
  whole: noVersion(new URL(path).host),
});
