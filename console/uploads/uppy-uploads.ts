import Uppy from '@uppy/core';
import GoldenRetriever from '@uppy/golden-retriever';
import Tus from '@uppy/tus';
import limitConcurrency from 'p-limit';
import type { HttpRequest } from 'tus-js-client';
import { KEEP_REPLACED, REPLACED_ENTRY, SESSION_HEADER } from '../../packages/contract/src/wire/endpoints.ts';
import { isStoredAlready } from './is-stored-already.ts';
import { problemIn, retryReason, type UploadMeta } from './upload-item.ts';

/** The maximum number of files that are sent at the same time, and of files that are compared with stored ones. */
const AT_ONCE = 3;

/** The size of one request, as in the client package. On S3, the service stores parts of this size. */
const CHUNK_BYTES = 8 * 2 ** 20;

/** The pauses before each retry: about a minute in total, which is longer than a restart of the service. */
const RETRY_MS = [200, 1000, 3000, 5000, 10_000, 20_000, 30_000];

/** How much file content the browser stores, so that uploads continue after a reload. The user must choose larger files again. */
const KEPT = { maxFileSize: 512 * 2 ** 20, maxTotalSize: 2 * 2 ** 30 };

const ignore = (): void => {};

/** Turn off the log of Uppy, because the page shows failures. */
const SILENT = { debug: ignore, warn: ignore, error: ignore };

type Body = Record<string, unknown>;
export type UppyUploads = Uppy<UploadMeta, Body>;

/**
 * How long to wait until Uppy has restored the files of an earlier page. If the files are older than a day, Uppy restores nothing and sends
 * no event.
 */
const RESTORE_MS = 2000;

/**
 * Uploads files with the tus protocol. `store`: the id of the store whose uploads are continued. `link`: the secret of the link that the page
 * uploads by. Default: the session of the browser.
 */
export function createUppy(store: string, link?: string): UppyUploads {
  const inTurn = limitConcurrency(AT_ONCE);
  const uppy = new Uppy<UploadMeta, Body>({ id: store, autoProceed: true, logger: SILENT });
  /** The id of the file of each request. When a request fails, Uppy does not pass the file. */
  const fileIds = new WeakMap<HttpRequest, string>();
  const fileOf = (request: HttpRequest) => {
    const id = fileIds.get(request);
    return id === undefined ? undefined : uppy.getFiles().find((one) => one.id === id);
  };
  const setRetryReason = (request: HttpRequest, reason: string | undefined): void => {
    const file = fileOf(request);
    if (file !== undefined && file.meta.retryReason !== reason)
      uppy.setFileMeta(file.id, { ...file.meta, retryReason: reason });
  };
  uppy.use(Tus, {
    endpoint: '/api/uploads',
    limit: AT_ONCE,
    chunkSize: CHUNK_BYTES,
    retryDelays: RETRY_MS,
    allowedMetaFields: ['path'],
    // Forget finished uploads. Otherwise a second upload of the same file would count as finished, even if the stored
    // file was deleted.
    removeFingerprintOnSuccess: true,
    onBeforeRequest: (request, file) => {
      fileIds.set(request, file.id);
    },
    // Ignore HEAD requests, which a continued upload begins with: they succeed even if the service accepts no more data.
    onAfterResponse: (request, reply) => {
      if (request.getMethod() !== 'HEAD' && reply.getStatus() < 300) setRetryReason(request, undefined);
      const entryId = reply.getHeader(REPLACED_ENTRY);
      const file = fileOf(request);
      if (file !== undefined && entryId) uppy.setFileMeta(file.id, { ...file.meta, replacedEntry: entryId });
    },
    onShouldRetry: (error, attempt, _options, isRetried) => {
      const isAgain = isRetried(error);
      // Do not show a reason before the first retry has failed too.
      const reason = isAgain && attempt > 0 ? retryReason(error.originalResponse?.getBody()) : undefined;
      setRetryReason(error.originalRequest, reason);
      return isAgain;
    },
    headers: ({ meta }) => ({
      ...(link === undefined ? { [SESSION_HEADER]: '1' } : { authorization: `Bearer ${link}` }),
      ...(meta.replaces === true ? { [KEEP_REPLACED]: 'true' } : { 'if-none-match': '*' }),
    }),
  });
  // The type of `indexedDB` lacks the size limits, although the store reads them.
  uppy.use(GoldenRetriever, { indexedDB: KEPT as object });
  uppy.on('restored', () => {
    // The page that compared them is gone.
    for (const { id, meta } of uppy.getFiles())
      if (meta.isCompared) uppy.setFileMeta(id, { ...meta, isCompared: false });
    if (uppy.getFiles().some(({ isGhost }) => !isGhost)) uppy.emit('restore-confirmed');
  });
  uppy.on('upload-error', (file, _error, response) => {
    const xhr = response?.body?.['xhr'];
    const problem = xhr instanceof XMLHttpRequest ? problemIn(xhr.responseText) : undefined;
    if (file === undefined || problem === undefined) return;
    // By a link, the file at the path cannot be read.
    const isCompared = link === undefined && problem.code === 'PRECONDITION_FAILED' && file.data instanceof Blob;
    uppy.setFileMeta(file.id, { ...file.meta, problem, isCompared });
    if (isCompared) void inTurn(() => endIfStored(uppy, file.id, file.data as Blob));
  });
  return uppy;
}

/** Ends an upload whose path exists, if the file there has the same content. Otherwise, the user is asked what to do. */
async function endIfStored(uppy: UppyUploads, id: string, data: Blob): Promise<void> {
  const find = () => uppy.getFiles().find((one) => one.id === id);
  const waiting = find();
  // The user may have removed the upload while it waited for its turn.
  if (waiting === undefined) return;
  const isSame = await isStoredAlready(waiting.meta.path ?? '', data);
  const file = find();
  // The user may have cancelled it, or tried again.
  if (file?.meta.isCompared !== true) return;
  if (isSame) uppy.removeFile(id);
  else uppy.setFileMeta(id, { ...file.meta, isCompared: false });
}

/**
 * Resolves when the files of an earlier page are restored. Files that are added before this are lost, because the restored files replace
 * them.
 */
export const restored = (uppy: UppyUploads): Promise<void> =>
  new Promise((resolve) => {
    uppy.once('restored', () => resolve());
    setTimeout(resolve, RESTORE_MS);
  });
