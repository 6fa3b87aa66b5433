import { ClientError } from './client-error.ts';
import type { UploadOptions } from './options.ts';
import { replacementHeaders, reportReplaced } from './replacement.ts';
import { uploadResumably } from './resumable-upload.ts';
import { DEFAULT_BUDGET, withRetry } from './retry.ts';
import type { Transport } from './transport.ts';

/** From this size on, an upload can continue after a lost connection. Smaller content takes one request. */
const RESUMABLE_BYTES = 2 ** 20;

/** Uploads a `Blob`, such as the `File` of a web page, to `path` in the media root of the client. */
export const uploadBlob = (
  transport: Transport,
  blob: Blob,
  path: string,
  options: UploadOptions = {},
): Promise<void> =>
  blob.size < RESUMABLE_BYTES && options.uploadId === undefined
    ? putBlob(transport, blob, path, options)
    : uploadResumably(transport, blob, path, options);

/** The maximum time for one request on a slow connection. */
const REQUEST_SECONDS = 300;

/** Repeats a request only if its reply was lost. `transport.read` itself waits for a busy service. */
const RETRY_LOST = { isRepeatable: true, budget: { ...DEFAULT_BUDGET, busySeconds: 0 } };

async function putBlob(
  transport: Transport,
  blob: Blob,
  path: string,
  { onBytes, signal, ...options }: UploadOptions,
): Promise<void> {
  onBytes?.(0, blob.size);
  let replyWasLost = false;
  await withRetry({ ...RETRY_LOST, signal }, async () => {
    try {
      await transport.read(
        'uploadFile',
        {
          params: { path },
          bytes: blob,
          headers: () => ({
            'content-type': 'application/octet-stream',
            ...replacementHeaders(options),
          }),
          isRepeatable: false,
          timeoutSeconds: REQUEST_SECONDS,
          signal,
        },
        async ({ headers }) => {
          // After a lost reply, this attempt may have replaced the file of the earlier one.
          if (!replyWasLost) reportReplaced(headers, options);
        },
      );
    } catch (error) {
      // The reply to an earlier attempt was lost, but that attempt has stored the file.
      if (replyWasLost && (await isStored(transport, error, path, blob.size, signal))) return;
      replyWasLost ||= error instanceof ClientError && error.kind === 'unreachable';
      throw error;
    }
  });
  onBytes?.(blob.size, blob.size);
}

/** Whether an upload was rejected because its file exists, and that file has the size of the upload. */
async function isStored(
  transport: Transport,
  error: unknown,
  path: string,
  size: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!(error instanceof ClientError) || error.status !== 412) return false;
  const stored = transport.read('downloadFile', { method: 'HEAD', params: { path }, signal }, async ({ headers }) =>
    Number(headers.get('content-length')),
  );
  // Without the scope files:read, the client cannot check the size. It then reports why the upload was rejected.
  return (await stored.catch(() => undefined)) === size;
}
