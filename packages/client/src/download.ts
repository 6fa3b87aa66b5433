import { ClientError, unreachable } from './client-error.ts';
import type { ByteRange, CallOptions, OnBytes, ReadOptions, RetryBudget } from './options.ts';
import { pause, TRANSFER_BUDGET } from './retry.ts';

/** The settings that all requests of a download share. */
interface DownloadCall extends CallOptions {
  readonly headers: () => Readonly<Record<string, string>>;
  readonly timeoutSeconds: 0;
  readonly isDownload: true;
  readonly budget?: RetryBudget;
}

/** A connection that brings no byte for this time is closed. The download continues on another connection. */
const STALLED_MS = 60_000;

/**
 * Opens a file. Resolves when the header fields have arrived. If a connection is lost, the body continues on a new one, as long as each
 * connection brings some bytes. The body fails with a `ClientError` of the kind `changed` if the file was replaced.
 */
export async function openDownload(
  address: string,
  send: (call: DownloadCall) => Promise<Response>,
  { range, onBytes, signal }: ReadOptions,
): Promise<Response> {
  const call = (headers: Readonly<Record<string, string>>, budget?: RetryBudget): DownloadCall => ({
    headers: () => headers,
    timeoutSeconds: 0,
    isDownload: true,
    signal,
    ...(budget !== undefined && { budget }),
  });
  const first = await send(call(range === undefined ? {} : { range: rangeHeader(range) }));
  const { status } = first;
  const headers = new Headers(first.headers);
  // If a proxy compresses the body, content-length is wrong.
  if (headers.has('content-encoding')) headers.delete('content-length');
  headers.delete('content-encoding');
  // After a browser has followed a redirect, the ETag is from the object store, and the service does not know it.
  // Ignore it.
  const etag = first.redirected ? null : headers.get('etag');
  const start = status === 206 ? (range?.start ?? 0) : 0;
  const end = status === 206 ? range?.end : undefined;

  const resume = async (receivedBytes: number): Promise<Response> => {
    const from = { start: start + receivedBytes, end };
    const reply = await send(call({ range: rangeHeader(from), 'if-range': etag ?? '' }, TRANSFER_BUDGET));
    if (reply.status === 206) return reply;
    await reply.body?.cancel();
    throw new ClientError('changed', 'The file was replaced during the download. Download it again.');
  };
  const length = headers.get('content-length');
  const body = resumableBody(first, {
    address,
    totalBytes: length === null ? Number.NaN : Number(length),
    resume: etag === null ? undefined : resume,
    onBytes,
    signal,
  });
  return new Response(body, { status, headers });
}

const rangeHeader = ({ start, end }: ByteRange): string => `bytes=${start}-${end ?? ''}`;

interface BodySource extends CallOptions {
  readonly address: string;
  readonly totalBytes: number;
  /** Requests the rest of the file. undefined: the download cannot be resumed. */
  readonly resume: ((receivedBytes: number) => Promise<Response>) | undefined;
  readonly onBytes: OnBytes | undefined;
}

function resumableBody(first: Response, source: BodySource): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { address, totalBytes, resume, onBytes, signal } = source;
  let reader = first.body?.getReader();
  let receivedBytes = 0;
  let hasProgress = false;

  /** Reads the next bytes. undefined: the end. Rejects if the connection is lost. */
  const next = async (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    const result = await withinTime(reader?.read());
    if (result !== undefined && !result.done) return result.value;
    if (Number.isNaN(totalBytes) || receivedBytes === totalBytes) return undefined;
    throw new Error('the connection broke off');
  };
  const nextOrResume = async (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    for (;;) {
      try {
        return await next();
      } catch (error) {
        signal?.throwIfAborted();
        if (resume === undefined || !hasProgress) throw unreachable(address, error);
        hasProgress = false;
        reader?.cancel().catch(() => undefined);
        reader = (await resume(receivedBytes)).body?.getReader();
      }
    }
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: () => onBytes?.(0, totalBytes),
      pull: async (controller) => {
        const chunk = await nextOrResume();
        if (chunk === undefined) return controller.close();
        hasProgress = true;
        receivedBytes += chunk.length;
        controller.enqueue(chunk);
        onBytes?.(receivedBytes, totalBytes);
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    // Read no bytes before the caller reads.
    { highWaterMark: 0 },
  );
}

async function withinTime<T>(pending: Promise<T> | undefined): Promise<T | undefined> {
  if (pending === undefined) return undefined;
  const done = new AbortController();
  const stalled = pause(STALLED_MS, done.signal).then(() => {
    throw new Error('nothing was transferred for a minute');
  });
  stalled.catch(() => undefined);
  try {
    return await Promise.race([pending, stalled]);
  } finally {
    done.abort();
  }
}
