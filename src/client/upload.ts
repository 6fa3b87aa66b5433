import { createReadStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ENDPOINTS, pathOf } from '../wire/endpoints.ts';
import { ClientError, errorResponse, isLocalError, unreachable } from './client-error.ts';
import { type BlobUploadOptions, isUnreadable, type OnBytes, uploadBlob } from './resumable-upload.ts';
import type { Transport } from './transport.ts';

export type UploadOptions = BlobUploadOptions;

/** A larger file is uploaded so that it continues after a lost connection. A smaller one takes one request. */
const RESUMABLE_BYTES = 16 * 2 ** 20;

/** The body is sent after this time without `100 Continue`, because a proxy may not forward that. */
const CONTINUE_TIMEOUT_MS = 1000;
/** The maximum time without a byte sent or received. */
const STALLED_MS = 300_000;

/**
 * Uploads a local file to `path` in the client's media root. Rejects with the error of Node if the file cannot be read.
 */
export async function uploadFile(
  transport: Transport,
  file: string,
  path: string,
  options: UploadOptions = {},
): Promise<void> {
  if ((await stat(file)).size < RESUMABLE_BYTES) return putFile(transport, file, path, options);
  try {
    await uploadBlob(transport, await openAsBlob(file), path, options);
  } catch (error) {
    if (error instanceof ClientError && isUnreadable(error))
      throw new Error(`${file} changed during the upload`, { cause: error });
    // A service of an earlier version.
    if (error instanceof ClientError && error.problem?.code === 'NOT_FOUND')
      return putFile(transport, file, path, options);
    throw error;
  }
}

/**
 * Uploads a local file in one request. Waits for `100 Continue`, so that a file that the service
 * rejects is not sent; fetch cannot do that, so this uses Node's HTTP client.
 */
async function putFile(
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
        // The previous try, whose reply was lost, may have stored the file.
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
  // The promise is awaited later. An earlier rejection must not be reported as unhandled.
  responded.catch(() => undefined);
  try {
    // A response before the end of the body is an error reply. Report it rather than the EPIPE that may follow.
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

/** Waits for `100 Continue` or the timeout. Returns false if a response comes first. */
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
