import Uppy from '@uppy/core';
import GoldenRetriever from '@uppy/golden-retriever';
import Tus from '@uppy/tus';
import type { HttpRequest } from 'tus-js-client';
import { SESSION_HEADER } from '../../packages/contract/src/wire/endpoints.ts';
import { problemIn, retryReason, type UploadMeta } from './upload-item.ts';

/** Files that are sent at the same time. */
const AT_ONCE = 3;

/** The bytes of one request, as the client package sends them. On S3, the service stores parts of this size. */
const CHUNK_BYTES = 8 * 2 ** 20;

/** The pauses before an upload tries again: about a minute in all, so that a restart of the service interrupts nothing. */
const RETRY_MS = [200, 1000, 3000, 5000, 10_000, 20_000, 30_000];

/** What the browser keeps of the content of files, so that uploads go on after a reload. Larger files have to be chosen again. */
const KEPT = { maxFileSize: 512 * 2 ** 20, maxTotalSize: 2 * 2 ** 30 };

const ignore = (): void => {};

/** Failures are shown on the page, with what can be done. */
const SILENT = { debug: ignore, warn: ignore, error: ignore };

type Body = Record<string, unknown>;
export type UppyUploads = Uppy<UploadMeta, Body>;

/** How long to wait for files of an earlier page. A store whose files are older than a day restores nothing and says nothing. */
const RESTORE_MS = 2000;

/** Uploads files by tus with the session of the browser. `store`: what the browser keeps under this id is continued. */
export function createUppy(store: string): UppyUploads {
  const uppy = new Uppy<UploadMeta, Body>({ id: store, autoProceed: true, logger: SILENT });
  /** The file of each request, which Uppy does not tell when one failed. */
  const fileIds = new WeakMap<HttpRequest, string>();
  const setRetryReason = (request: HttpRequest, reason: string | undefined): void => {
    const id = fileIds.get(request);
    const file = id === undefined ? undefined : uppy.getFiles().find((one) => one.id === id);
    if (file !== undefined && file.meta.retryReason !== reason)
      uppy.setFileMeta(file.id, { ...file.meta, retryReason: reason });
  };
  uppy.use(Tus, {
    endpoint: '/api/uploads',
    limit: AT_ONCE,
    chunkSize: CHUNK_BYTES,
    retryDelays: RETRY_MS,
    allowedMetaFields: ['path'],
    // Else a file that is uploaded a second time would count as uploaded, although the first one may be gone.
    removeFingerprintOnSuccess: true,
    onBeforeRequest: (request, file) => {
      fileIds.set(request, file.id);
    },
    // An upload that continues begins with a question, which says nothing about whether the service takes more.
    onAfterResponse: (request, reply) => {
      if (request.getMethod() !== 'HEAD' && reply.getStatus() < 300) setRetryReason(request, undefined);
    },
    onShouldRetry: (error, attempt, _options, isRetried) => {
      const isAgain = isRetried(error);
      // What passes within the first pause is not worth a word.
      const reason = isAgain && attempt > 0 ? retryReason(error.originalResponse?.getBody()) : undefined;
      setRetryReason(error.originalRequest, reason);
      return isAgain;
    },
    headers: ({ meta }) => ({ [SESSION_HEADER]: '1', ...(meta.replaces === true ? {} : { 'if-none-match': '*' }) }),
  });
  // The declared type of `indexedDB` leaves out the sizes, which the store reads.
  uppy.use(GoldenRetriever, { indexedDB: KEPT as object });
  uppy.on('restored', () => {
    if (uppy.getFiles().some(({ isGhost }) => !isGhost)) uppy.emit('restore-confirmed');
  });
  uppy.on('upload-error', (file, _error, response) => {
    const xhr = response?.body?.['xhr'];
    const problem = xhr instanceof XMLHttpRequest ? problemIn(xhr.responseText) : undefined;
    if (file !== undefined && problem !== undefined) uppy.setFileMeta(file.id, { ...file.meta, problem });
  });
  return uppy;
}

/** Resolves when the files of an earlier page are there. Files that are added before are lost, because these replace them. */
export const restored = (uppy: UppyUploads): Promise<void> =>
  new Promise((resolve) => {
    uppy.once('restored', () => resolve());
    setTimeout(resolve, RESTORE_MS);
  });
