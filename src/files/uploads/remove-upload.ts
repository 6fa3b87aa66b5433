import type { UploadRecord } from '../ports/resumable-uploads.ts';
import type { UploadDeps } from './upload-deps.ts';

/** Removes the bytes and the record of an upload, under its lock. Resolves to false if there was no record. */
export async function removeUpload(
  { store, parts, recount }: Pick<UploadDeps, 'store' | 'parts' | 'recount'>,
  { clientId, uploadId, path, sizeBytes, offsetBytes, data, isPublished }: UploadRecord,
): Promise<boolean> {
  await parts.remove({ uploadId, data });
  // A crash or an error can have come after its file appeared and before that was stored. First, so that another crash between
  // both counts too much for a while: without the record, nobody would look.
  if (!isPublished && offsetBytes === sizeBytes) await recount(clientId, [path]);
  return store.remove(uploadId);
}
