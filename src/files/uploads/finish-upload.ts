import type { UploadRecord } from '../ports/resumable-uploads.ts';
import { toFileCheck } from '../precondition.ts';
import type { UploadContext } from './operations.ts';
import { readStoredPrecondition } from './stored-precondition.ts';
import { lostLock, type UploadDeps } from './upload-deps.ts';

/** How long the record of a published upload stays, so that a client that lost the reply learns that its file is complete. */
const PUBLISHED_SECONDS = 600;

/** Makes the file of a complete upload appear, and removes its parts. May be called again after a crash. */
export async function finishUpload(
  { store, parts, recount, expirySeconds, onEvent, log }: UploadDeps,
  { caller: { clientId, root }, lock: { holder }, onAppeared }: UploadContext,
  upload: UploadRecord,
): Promise<void> {
  const { uploadId } = upload;
  let { data } = upload;
  const check = toFileCheck(readStoredPrecondition(upload.precondition));
  await parts.publish({ ...upload, root }, check, async (prepared) => {
    data = prepared;
    if (!(await store.save(uploadId, holder, { data }, expirySeconds))) throw lostLock();
  });
  await onAppeared(upload.path);
  // Until then, and after a crash until the record expires, the size of the upload counts, and not that of its file.
  const seconds = Math.min(PUBLISHED_SECONDS, expirySeconds);
  if (!(await store.save(uploadId, holder, { isPublished: true }, seconds))) throw lostLock();
  await recount(clientId, [upload.path]);
  onEvent('finished');
  try {
    await parts.remove({ uploadId, data });
    await store.save(uploadId, holder, { data: '' }, seconds);
  } catch (err) {
    // They are removed when the record expires.
    log.warn({ err, uploadId }, 'parts of a finished upload not removed');
  }
}
