import { finishUpload } from './finish-upload.ts';
import type { UploadContext, UploadLock } from './operations.ts';
import { hasBegun, lostLock, type UploadDeps, uploadNotFound } from './upload-deps.ts';

/** Appends bytes; see `UploadOperations.append`. */
export async function appendBytes(
  deps: UploadDeps,
  context: UploadContext,
  uploadId: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
  const { store, parts, expirySeconds } = deps;
  const { caller, lock } = context;
  const upload = await store.claim(caller.clientId, uploadId, lock.holder, expirySeconds);
  if (upload === undefined || !hasBegun(upload)) throw uploadNotFound();
  if (upload.isPublished) return upload.offsetBytes;
  let { offsetBytes } = upload;
  await parts.append({ ...upload, root: caller.root }, whileHeld(lock, bytes), async (saved) => {
    if (!(await store.save(uploadId, lock.holder, { offsetBytes: saved }, expirySeconds))) throw lostLock();
    offsetBytes = saved;
  });
  if (offsetBytes === upload.sizeBytes) await finishUpload(deps, context, { ...upload, offsetBytes });
  return offsetBytes;
}

/** Passes on `bytes` as long as the request has the lock: after a pause of the process, another one may write. */
async function* whileHeld(lock: UploadLock, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    lock.assertHeld();
    yield chunk;
  }
}
