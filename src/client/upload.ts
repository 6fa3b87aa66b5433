import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ENDPOINTS, pathOf } from '../wire/endpoints.ts';
import { ClientError, errorResponse, isLocalError, unreachable } from './client-error.ts';
import type { CallOptions, Transport } from './transport.ts';

/** Called as bytes are transferred. */
export type OnBytes = (transferredBytes: number, totalBytes: number) => void;

export interface UploadOptions extends CallOptions {
  /** Replaces an existing file. Otherwise the upload is rejected with PRECONDITION_FAILED. */
  readonly replace?: boolean;
  readonly onBytes?: OnBytes | undefined;
}

/** A proxy may not forward `100 Continue`: send the body after this time. */
const CONTINUE_TIMEOUT_MS = 1000;
/** The longest time without a byte sent or received. */
const STALLED_MS = 300_000;

/**
 * Sends a local file to `path` of the client's media root. It uses Node's HTTP client, since fetch cannot wait for
 * `100 Continue`: a file that the service rejects is not sent. Rejects with Node's error if the file cannot be read.
 */
export async function uploadFile(
  transport: Transport,
  file: string,
  path: string,
  { replace = false, onBytes, signal }: UploadOptions = {},
): Promise<void> {
  let replyWasLost = false;
  await transport.attempt({ isRepeatable: true, signal }, async (token) => {
    const { size } = await stat(file);
    try {
      const headers = { authorization: `Bearer ${token}`, ...(replace ? {} : { 'if-none-match': '*' }) };
      await put(transport.url + pathOf('uploadFile', { path }), file, size, headers, onBytes, signal);
    } catch (error) {
      if (error instanceof ClientError) {
        // The previous try may have stored the file, and its reply was lost.
        if (replyWasLost && error.status === 412 && (await sizeOf(transport, path, signal)) === size) return;
        throw error;
      }
      if (signal?.aborted || isLocalError(error)) throw error;
      replyWasLost = true;
      throw unreachable(transport.url, error);
    }
  });
}

async function put(
  url: string,
  file: string,
  size: number,
  headers: Readonly<Record<string, string>>,
  onBytes: OnBytes | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
    method: ENDPOINTS.uploadFile.method,
    agent: false,
    headers: { ...headers, 'content-length': size, 'content-type': 'application/octet-stream', expect: '100-continue' },
    ...(signal === undefined ? {} : { signal }),
  });
  request.setTimeout(STALLED_MS, () => request.destroy(new Error('nothing was transferred for five minutes')));
  const responded = new Promise<IncomingMessage>((resolve, reject) =>
    request.once('response', resolve).once('error', reject),
  );
  // It is awaited later; a rejection before that must not count as unhandled.
  responded.catch(() => undefined);
  try {
    // A response before the end of the body is an error reply. It says more than the broken pipe that may follow.
    if (await isBodyWanted(request, responded))
      await Promise.race([sendBody(request, file, size, onBytes).catch(() => responded), responded]);
    const response = await responded;
    const { statusCode: status = 0 } = response;
    const body = await text(response);
    if (status < 200 || status >= 300)
      throw errorResponse({ status, header: (name) => response.headers[name]?.toString(), body });
  } finally {
    request.destroy();
  }
}

/** Waits for `100 Continue`. false: a response came first. */
async function isBodyWanted(request: ClientRequest, responded: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const continued = new Promise<boolean>((resolve) => {
    request.once('continue', () => resolve(true));
    timer = setTimeout(resolve, CONTINUE_TIMEOUT_MS, true);
    request.flushHeaders();
  });
  return Promise.race([continued, responded.then(() => false)]).finally(() => clearTimeout(timer));
}

async function sendBody(request: ClientRequest, file: string, size: number, onBytes?: OnBytes): Promise<void> {
  let sentBytes = 0;
  onBytes?.(sentBytes, size);
  await pipeline(
    createReadStream(file),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        yield chunk;
        sentBytes += chunk.length;
        onBytes?.(sentBytes, size);
      }
      if (sentBytes !== size) throw new Error(`${file} changed during the upload`);
    },
    request,
  );
}

const sizeOf = (transport: Transport, path: string, signal: AbortSignal | undefined): Promise<number> =>
  transport.read('downloadFile', { method: 'HEAD', params: { path }, signal }, async ({ headers }) =>
    Number(headers.get('content-length')),
  );
