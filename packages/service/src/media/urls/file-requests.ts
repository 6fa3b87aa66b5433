import { setTimeout as delay } from 'node:timers/promises';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { retryAfterMs } from '@telecine/contract/domain/retry-after.ts';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { OutgoingError } from '../../outgoing/outgoing-error.ts';
import type { OutgoingReply } from '../../outgoing/outgoing-request.ts';
import { fileVersion } from './file-version.ts';
import { encodedInput, fetchFailure, statusFailure } from './url-failures.ts';

/** A file at a URL. */
export interface UrlFile {
  /** The whole URL. A user name and a password in it are sent as Basic authentication. */
  readonly url: string;
  /** The part of the URL that messages may show. */
  readonly path: string;
}

const MAX_REDIRECTS = 5;
const REPLY_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 30_000;

/** How many times in a row a fetch may fail without a new byte. */
const MAX_FAILURES = 4;
/**
 * The maximum number of requests for one file or range, so that a server that closes the connection after every few bytes
 * does not occupy a worker for ever.
 */
const MAX_REQUESTS = 100;
const FIRST_PAUSE_MS = 500;
/**
 * The longest Retry-After for which a fetch waits. A longer one ends the attempt of the job, and the next attempt comes
 * later.
 */
const MAX_RETRY_AFTER_MS = 60_000;

/** A failure after which `repeatFetch` sends another request. */
export class Transient extends Error {
  readonly failure: JobFailed;
  readonly waitMs: number | undefined;

  constructor(failure: JobFailed, waitMs?: number) {
    super(failure.message);
    this.failure = failure;
    this.waitMs = waitMs;
  }
}

/** Requests a file, or the part of it that `headers` say. */
export const requestFile = (
  client: OutgoingClient,
  { url }: Pick<UrlFile, 'url'>,
  headers: Readonly<Record<string, string>>,
  { signal, maxBodyBytes = Number.MAX_SAFE_INTEGER }: { readonly signal: AbortSignal; readonly maxBodyBytes?: number },
): Promise<OutgoingReply> =>
  client.send({
    url: new URL(url),
    method: 'GET',
    headers: { accept: '*/*', 'user-agent': 'telecine', ...headers },
    isUserAllowed: true,
    maxRedirects: MAX_REDIRECTS,
    replyTimeoutMs: REPLY_TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    maxBodyBytes,
    signal,
  });

interface RepeatOptions {
  readonly signal: AbortSignal;
  /** Returns how many bytes have arrived. */
  readonly countBytes: () => number;
  /** Whether another request may succeed. Default: yes. */
  readonly mayRepeat?: () => boolean;
  /** The pause after the first failure. It doubles with each further failure. Default: 500 ms. */
  readonly firstPauseMs?: number | undefined;
}

/**
 * Runs `work`, which sends one request, and repeats it after transient failures. Throws the failure of the job, and the
 * reason of an abort.
 */
export async function repeatFetch<T>(
  path: string,
  { signal, countBytes, mayRepeat = () => true, firstPauseMs = FIRST_PAUSE_MS }: RepeatOptions,
  work: () => Promise<T>,
): Promise<T> {
  let failures = 0;
  for (let requests = 1; ; requests++) {
    const before = countBytes();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const transient = asTransient(path, error);
      if (transient === undefined) throw fetchFailure(path, error);
      failures = countBytes() > before ? 1 : failures + 1;
      if (failures > MAX_FAILURES || !mayRepeat() || requests === MAX_REQUESTS) throw transient.failure;
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

/** Throws if a reply contains nothing of the file, or has encoded it. */
export function requireContent(path: string, reply: OutgoingReply): void {
  const { status, headers } = reply;
  if (status !== 200 && status !== 206) {
    const failure = statusFailure(path, reply);
    if (failure.failure.code !== 'INPUT_UNAVAILABLE' || failure.nonRetryable) throw failure;
    throw new Transient(failure, retryAfterMs(headers['retry-after'], Date.now()));
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && !/^(?:identity)?$/i.test(encoding)) throw encodedInput(path, encoding);
}

export interface ReceivedPart {
  /** The offset of the first byte of the part. */
  readonly from: number;
  /**
   * The size of the whole file. undefined: the server did not tell it, which is possible only in a reply from the first
   * byte on.
   */
  readonly total: number | undefined;
  /** See `fileVersion`. */
  readonly version: string | undefined;
}

/** A part of a file that was requested. */
interface ExpectedPart {
  readonly from: number;
  /** undefined: any version that the server names. */
  readonly version: string | undefined;
  /** The size of the file. undefined: not known. */
  readonly total: number | undefined;
}

/**
 * The headers of a request for a part of a file. With `if-range`, the server sends only the part if the version still
 * matches, and otherwise the whole file (RFC 9110, 13.1.5).
 */
export const rangeHeaders = ({ from, version }: Pick<ExpectedPart, 'from' | 'version'>): Record<string, string> => ({
  range: `bytes=${from}-`,
  ...(version !== undefined && { 'if-range': version }),
});

/**
 * Reads a reply with status 200 or 206. Returns undefined if the reply is not the requested part, because its offset,
 * version or size differs from the expected one, or because the version or the size is unknown.
 *
 * @param expected The requested part. undefined: the whole file was requested.
 */
export function partOfFile(
  { status, headers }: Pick<OutgoingReply, 'status' | 'headers'>,
  expected?: ExpectedPart,
): ReceivedPart | undefined {
  const version = fileVersion(headers);
  if (status === 200) return { from: 0, total: byteCount(headers['content-length']), version };
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
  if (expected === undefined || Number(first) !== expected.from || Number(last) < expected.from) return undefined;
  // Compare the version, which a correct reply to If-Range contains (RFC 9110, 15.3.7): a server that ignores If-Range may
  // send another version of the file.
  if (version === undefined || version !== (expected.version ?? version)) return undefined;
  const total = byteCount(size) ?? expected.total;
  if (total === undefined || (expected.total !== undefined && total !== expected.total)) return undefined;
  return { from: expected.from, total, version };
}

function byteCount(text: string | undefined): number | undefined {
  const count = Number(text ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
