import { type FileHandle, open } from 'node:fs/promises';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import type { OutgoingReply } from '../../outgoing/outgoing-request.ts';
import { rethrow } from '../errno-codes.ts';
import { emptyInput } from '../job-failures.ts';
import { writeAll } from '../write-all.ts';
import { contentKind, HEAD_BYTES } from './content-kind.ts';
import {
  partOfFile,
  type ReceivedPart,
  rangeHeaders,
  repeatFetch,
  requestFile,
  requireContent,
  Transient,
  type UrlFile,
} from './file-requests.ts';
import { fetchFailure, incompleteInput, notAFile } from './url-failures.ts';

export interface FileFetch extends UrlFile {
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

/** How many times a fetch may start again at the first byte, if the server cannot continue the file. */
const MAX_RESTARTS = 3;

/** A file that was fetched. */
export interface FetchedFile {
  readonly sizeBytes: number;
  /** See `fileVersion`. Absent: the server names none. */
  readonly version?: string;
  /** Present if only parts of the file were fetched. */
  readonly isPartial?: true;
}

interface Progress {
  bytes: number;
  version: string | undefined;
  total: number | undefined;
  /** How many times the fetch has started at the first byte. */
  starts: number;
  /** The first bytes of the file, until they are enough to decide its kind. undefined: the kind is known. */
  head: Buffer | undefined;
}

/**
 * Fetches a file. After a transient failure, continues after the last byte if the server tells which version of the file
 * it sends, and otherwise starts again. Throws INPUT_NOT_FOUND, INPUT_INVALID, INPUT_UNAVAILABLE, NO_SPACE,
 * STORAGE_FAULT, and errors of `onBytes`.
 */
export async function fetchFile(
  client: OutgoingClient,
  fetch: FileFetch,
  options: FetchFileOptions,
): Promise<FetchedFile> {
  const { signal, firstPauseMs } = options;
  const progress: Progress = { bytes: 0, version: undefined, total: undefined, starts: 0, head: Buffer.alloc(0) };
  await using handle = await open(fetch.file, 'wx', 0o600).catch(rethrow((error) => fetchFailure(fetch.path, error)));
  const repeat = {
    signal,
    firstPauseMs,
    countBytes: () => progress.bytes,
    mayRepeat: () => progress.version !== undefined || progress.starts <= MAX_RESTARTS,
  };
  return await repeatFetch(fetch.path, repeat, async () => {
    await fetchRest(client, fetch, handle, progress, options);
    if (progress.bytes === 0) throw emptyInput(fetch.path);
    const { bytes: sizeBytes, version } = progress;
    return { sizeBytes, ...(version !== undefined && { version }) };
  });
}

/** Sends one request and writes the reply to the file. Resolves when the file is complete. */
async function fetchRest(
  client: OutgoingClient,
  { url, path }: FileFetch,
  handle: FileHandle,
  progress: Progress,
  { signal, onBytes }: FetchFileOptions,
): Promise<void> {
  const { bytes, version, total } = progress;
  const rest = bytes > 0 && version !== undefined ? { from: bytes, version, total } : undefined;
  const reply = await requestFile(client, { url }, rest === undefined ? {} : rangeHeaders(rest), { signal });
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
    progress.version = part.version;
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

function restart(progress: Progress): void {
  progress.bytes = 0;
  progress.version = undefined;
  progress.total = undefined;
  progress.head = Buffer.alloc(0);
}

/**
 * Returns which part of the file a reply contains. undefined: the reply does not continue the file. Throws if the reply
 * contains nothing of the file.
 */
function readReply(
  path: string,
  reply: OutgoingReply,
  rest: Parameters<typeof partOfFile>[1],
): ReceivedPart | undefined {
  if (reply.status === 416 && rest !== undefined) return undefined;
  requireContent(path, reply);
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
  requireMedia(path, head.subarray(0, HEAD_BYTES));
}

/** Throws if the first bytes of a file show that it is a list of other files. */
export function requireMedia(path: string, head: Uint8Array): void {
  const kind = contentKind(head);
  if (kind !== undefined) throw notAFile(path, kind);
}
