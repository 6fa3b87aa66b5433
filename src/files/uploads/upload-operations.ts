import type { Caller } from '../../domain/client.ts';
import type { UploadRecord } from '../ports/resumable-uploads.ts';
import type { Leases } from '../ports.ts';
import { appendBytes } from './append-bytes.ts';
import { createUpload } from './create-upload.ts';
import { finishUpload } from './finish-upload.ts';
import type { UploadOperations } from './operations.ts';
import { removeUpload } from './remove-upload.ts';
import { hasBegun, type UploadDeps, uploadNotFound } from './upload-deps.ts';
import { uploadLocks } from './upload-locks.ts';

/** Builds the operations on resumable uploads. */
export function uploadOperations(deps: UploadDeps & { readonly leases: Leases }): UploadOperations {
  const { store, maxBytes, expirySeconds } = deps;
  const find = async ({ clientId }: Caller, uploadId: string): Promise<UploadRecord> => {
    const upload = await store.find(clientId, uploadId);
    if (upload === undefined || !hasBegun(upload)) throw uploadNotFound();
    return upload;
  };
  return {
    ...uploadLocks(deps.leases),
    maxBytes,
    expirySeconds,
    find,
    create: (context, request) => createUpload(deps, context, request),
    append: (context, uploadId, bytes) => appendBytes(deps, context, uploadId, bytes),
    settle: async (context, uploadId) => {
      const { caller, lock } = context;
      const found = await find(caller, uploadId);
      if (found.isPublished || found.offsetBytes < found.sizeBytes) return found;
      const upload = await store.claim(caller.clientId, uploadId, lock.holder, expirySeconds);
      if (upload === undefined) throw uploadNotFound();
      await finishUpload(deps, context, upload);
      return upload;
    },
    remove: async ({ caller, lock }, uploadId) => {
      const upload = await store.claim(caller.clientId, uploadId, lock.holder, expirySeconds);
      if (upload === undefined) throw uploadNotFound();
      await removeUpload(deps, upload);
      deps.onEvent('removed');
    },
  };
}
