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
 * Uploads a file with tus. Continues after lost connections and restarts of the service. Rejects with `ClientError`. After a failure or an
 * abort, nothing stays on the service, except an interrupted upload with `onUploadId`.
 */
export async function uploadResumably(
  transport: Transport,
  blob: Blob,
  path: string,
  { onBytes, uploadId: known, onUploadId, signal, ...options }: UploadOptions = {},
): Promise<void> {
  const create = (): Promise<string> =>
    transport.read(
      'createUpload',
      {
        headers: () => ({
          ...VERSION,
          'upload-length': String(blob.size),
          'upload-metadata': `path ${base64(path)}`,
          ...replacementHeaders(options),
        }),
        // Repeat this request if its reply is lost. The lost upload has no bytes, and expires.
        isRepeatable: true,
        signal,
      },
      async ({ headers }) => headers.get('location')?.split('/').at(-1) ?? '',
    );
  let uploadId = known;
  try {
    const found = known === undefined ? undefined : await offsetOfKnown(transport, known, blob.size, signal);
    if (uploadId === undefined || found === undefined) uploadId = await create();
    onUploadId?.(uploadId);
    onBytes?.(found ?? 0, blob.size);
    await appendAll(transport, uploadId, blob, { from: found ?? 0, onBytes, signal, ...options });
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
  await transport.call('deleteUpload', call).catch((error: unknown) => {
    if (!isGone(error)) throw error;
  });
}

/** Whether the error says that the service no longer has the upload. */
const isGone = (error: unknown): boolean =>
  error instanceof ClientError && (error.status === 404 || error.status === 410);

/** The offset of an earlier upload. undefined: the service no longer has the upload, or it has different content. */
async function offsetOfKnown(
  transport: Transport,
  uploadId: string,
  size: number,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  try {
    return await transport.read(
      'getUploadOffset',
      { params: { uploadId }, headers: () => VERSION, isRepeatable: true, signal },
      async ({ headers }) =>
        Number(headers.get('upload-length')) === size ? Number(headers.get('upload-offset')) : undefined,
    );
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Whether the upload can continue later: the service is unreachable or busy, or rejects the credentials. */
export const isInterruption = (error: unknown): boolean =>
  isResumable(error) || (error instanceof ClientError && [401, 403, 429].includes(error.status ?? 0));

async function appendAll(
  transport: Transport,
  uploadId: string,
  blob: Blob,
  {
    from,
    onBytes,
    signal,
    ...options
  }: { readonly from: number } & Pick<UploadOptions, 'onBytes' | 'onReplaced' | 'signal'>,
): Promise<void> {
  const offsetOf = async ({ headers }: Response): Promise<number> => {
    reportReplaced(headers, options);
    return Number(headers.get('upload-offset'));
  };
  const append = (offset: number): Promise<number> =>
    transport.read(
      'appendToUpload',
      {
        params: { uploadId },
        headers: () => ({ ...VERSION, 'upload-offset': String(offset), 'content-type': TUS_BODY }),
        bytes: blob.slice(offset, offset + CHUNK_BYTES),
        timeoutSeconds: CHUNK_SECONDS,
        signal,
      },
      offsetOf,
    );
  const find = (): Promise<number> =>
    transport.read(
      'getUploadOffset',
      { params: { uploadId }, headers: () => VERSION, isRepeatable: true, budget: TRANSFER_BUDGET, signal },
      offsetOf,
    );

  let failures = 0;
  let offset = from;
  const resume = async (): Promise<number> => {
    const found = await find();
    if (found > offset) {
      failures = 0;
      offset = found;
      onBytes?.(offset, blob.size);
    }
    return append(found);
  };
  while (offset < blob.size) {
    // After a failure, only the service knows how much has arrived.
    const stored = await (failures === 0 ? append(offset) : resume()).catch((error: unknown) => {
      if (!isResumable(error) || failures === MAX_FAILURES) throw error;
      return undefined;
    });
    if (stored === undefined) {
      failures += 1;
      await pause(Math.min(200 * 2 ** (failures - 1), 5000), signal);
    } else {
      failures = 0;
      offset = stored;
      onBytes?.(offset, blob.size);
    }
  }
}

const isResumable = (error: unknown): boolean =>
  error instanceof ClientError && (error.kind === 'unreachable' || RESUMABLE.has(error.status));

/** Base64 of UTF-8, also in browsers. */
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
