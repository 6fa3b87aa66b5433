import { TUS_BODY, TUS_VERSION } from '@telecine/contract/wire/tus.ts';
import { ClientError } from './client-error.ts';
import type { CallOptions, UploadOptions } from './options.ts';
import { replacementHeaders, reportReplaced } from './replacement.ts';
import { pause, TRANSFER_BUDGET } from './retry.ts';
import type { Transport } from './transport.ts';

/** The number of bytes in one request. On S3, the service stores parts of this size. */
const CHUNK_BYTES = 8 * 2 ** 20;

/** A request that takes longer is aborted, and the upload continues. At this speed, a file of one gigabyte takes a day. */
const CHUNK_SECONDS = 600;

/** The maximum number of failures in a row without progress. */
const MAX_FAILURES = 10;

/** How long the client tries to delete a failed upload, in milliseconds. An upload that is not deleted expires later. */
const DELETE_MS = 5000;

/** Statuses after which the client reads the offset of the upload and continues. 409, 423: another request was using the upload. */
const RESUMABLE: ReadonlySet<number | undefined> = new Set([408, 409, 423, 500, 502, 503, 504]);

const VERSION = { 'tus-resumable': TUS_VERSION };

/**
 * Uploads a `Blob`, such as the `File` of a web page, with tus, to `path` in the media root of the client. Continues after lost connections and restarts of the service. Rejects with `ClientError`. After a failure or an
 * abort, nothing stays on the service, except an interrupted upload with `onUploadId`.
 */
export async function uploadResumably(
  transport: Transport,
  blob: Blob,
  path: string,
  { onBytes, uploadId: known, onUploadId, signal, ...options }: UploadOptions = {},
): Promise<void> {
  let uploadId = known;
  let creations = 0;
  const create = (): Promise<string> =>
    transport.read(
      'createUpload',
      {
        headers: () => {
          creations += 1;
          return {
            ...VERSION,
            'upload-length': String(blob.size),
            'upload-metadata': `path ${base64(path)}`,
            ...replacementHeaders(options),
          };
        },
        // Repeat this request if its reply is lost. The lost upload has no bytes, and expires.
        isRepeatable: true,
        signal,
      },
      async ({ headers }) => {
        // An empty file is complete.
        reportReplaced(headers, options);
        return headers.get('location')?.split('/').at(-1) ?? '';
      },
    );
  /** An empty file is stored when its upload is created. If the reply is lost, the repeated request says that the file exists. */
  const ifStored = async (error: unknown): Promise<string> => {
    const mayBeStored = blob.size === 0 && creations > 1 && error instanceof ClientError && error.status === 412;
    const readSize = async ({ headers }: Response) => headers.get('content-length');
    const call = { params: { path }, method: 'HEAD', signal } as const;
    if (mayBeStored && (await transport.read('downloadFile', call, readSize).catch(() => undefined)) === '0') return '';
    throw error;
  };
  const offsetOf = async ({ headers }: Response): Promise<number> => {
    reportReplaced(headers, options);
    return Number(headers.get('upload-offset'));
  };
  const append = (id: string, offset: number): Promise<number> =>
    transport.read(
      'appendToUpload',
      {
        params: { uploadId: id },
        headers: () => ({ ...VERSION, 'upload-offset': String(offset), 'content-type': TUS_BODY }),
        bytes: blob.slice(offset, offset + CHUNK_BYTES),
        timeoutSeconds: CHUNK_SECONDS,
        signal,
      },
      offsetOf,
    );
  /** The offset of an upload. undefined: the upload is of a file of another size. */
  const find = (id: string): Promise<number | undefined> =>
    transport.read(
      'getUploadOffset',
      { params: { uploadId: id }, headers: () => VERSION, isRepeatable: true, budget: TRANSFER_BUDGET, signal },
      async (reply) => (Number(reply.headers.get('upload-length')) === blob.size ? offsetOf(reply) : undefined),
    );
  try {
    let offset = known === undefined ? undefined : await find(known).catch(ifGone);
    uploadId = offset === undefined || known === undefined ? await create().catch(ifStored) : known;
    offset ??= 0;
    onUploadId?.(uploadId);
    onBytes?.(offset, blob.size);
    for (let failures = 0; offset < blob.size; )
      try {
        // After a failure, only the service knows how much has arrived.
        const from: number = failures === 0 ? offset : ((await find(uploadId)) ?? offset);
        if (from > offset) {
          failures = 0;
          offset = from;
          onBytes?.(offset, blob.size);
          continue;
        }
        offset = await append(uploadId, from);
        // Without this, a service that takes no bytes would get them again and again.
        if (!(offset > from)) throw new Error('The service has taken none of the bytes that it was sent.');
        failures = 0;
        onBytes?.(offset, blob.size);
      } catch (error) {
        if (!isResumable(error) || failures === MAX_FAILURES) throw error;
        failures += 1;
        await pause(Math.min(200 * 2 ** (failures - 1), 5000), signal);
      }
  } catch (error) {
    const isKept = onUploadId !== undefined && (signal?.aborted === true || isInterruption(error));
    if (uploadId !== undefined && !isKept)
      await removeUpload(transport, uploadId, { signal: AbortSignal.timeout(DELETE_MS) }).catch(() => undefined);
    throw error;
  }
}

/** Deletes an upload and its bytes, if they still exist on the service. */
export async function removeUpload(
  transport: Transport,
  uploadId: string,
  { signal }: CallOptions = {},
): Promise<void> {
  const call = { params: { uploadId }, headers: () => VERSION, isRepeatable: true, signal };
  await transport.call('deleteUpload', call).catch(ifGone);
}

/** Throws the error, unless it says that the service no longer has the upload. */
function ifGone(error: unknown): undefined {
  if (!(error instanceof ClientError) || (error.status !== 404 && error.status !== 410)) throw error;
}

/** Whether the upload can continue later: the service is unreachable or busy, or rejects the credentials. */
export const isInterruption = (error: unknown): boolean =>
  isResumable(error) || (error instanceof ClientError && [401, 403, 429].includes(error.status ?? 0));

const isResumable = (error: unknown): boolean =>
  error instanceof ClientError && (error.kind === 'unreachable' || RESUMABLE.has(error.status));

/** Base64 of UTF-8, also in browsers. */
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
