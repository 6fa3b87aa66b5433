import type { UploadRecord } from '../ports/resumable-uploads.ts';
import type { UploadDeps } from './upload-deps.ts';

/** Removes the bytes and the record of an upload, under its lock. Resolves to false if there was no record. */
export async function removeUpload(
  { store, parts, recount }: Pick<UploadDeps, 'store' | 'parts' | 'recount'>,
  { clientId, uploadId, path, sizeBytes, offsetBytes, data, isPublished }: UploadRecord,
): Promise<boolean> {
  await parts.remove({ uploadId, data });
  if (!(await store.remove(uploadId))) return false;
  // A crash or an error can have come after its file appeared and before that was stored.
  if (!isPublished && offsetBytes === sizeBytes) await recount(clientId, [path]);
  return true;
}
