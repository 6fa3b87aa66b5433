import { invalidRequest, Problem } from '../../domain/problem.ts';
import { parseFilePath } from '../file-path.ts';
import type { StoredUpload, UploadRecord } from '../ports/resumable-uploads.ts';
import { toFileCheck } from '../precondition.ts';
import { fileTooLarge } from '../upload.ts';
import { finishUpload } from './finish-upload.ts';
import type { CreateUploadRequest, ResumableUpload, UploadContext } from './operations.ts';
import { writePrecondition } from './stored-precondition.ts';
import { lostLock, type UploadDeps } from './upload-deps.ts';

/**
 * How long a record without bytes stays, which counts with its whole size: after a crash, or if the reply of the database is
 * lost, the client does not know it. The lock of the upload keeps a sweep from removing one that takes longer.
 */
const CREATION_SECONDS = 60;

/** The most unfinished uploads of a client. Each takes a record, and disk space if it has begun. */
const MAX_OPEN = 1000;

/** The most records of published uploads of a client. The oldest go first. */
const MAX_PUBLISHED = 1000;

/** The most characters of `Upload-Metadata`: the longest path in Base64, and 2 KiB. Each record has them. */
const MAX_METADATA = 6144;

/** Creates an upload; see `UploadOperations.create`. An empty file appears at once. */
export async function createUpload(
  deps: UploadDeps,
  context: UploadContext,
  { uploadId, path: text, sizeBytes, metadata, precondition }: CreateUploadRequest,
): Promise<ResumableUpload> {
  const { caller, lock } = context;
  if (sizeBytes > deps.maxBytes) throw fileTooLarge(deps.maxBytes);
  if (metadata.length > MAX_METADATA) throw metadataTooLong(metadata.length);
  const path = parseFilePath(text, caller.root, '/metadata/path');
  const upload: UploadRecord = {
    uploadId,
    clientId: caller.clientId,
    path,
    sizeBytes,
    offsetBytes: 0,
    metadata,
    precondition: writePrecondition(precondition),
    data: '',
    isPublished: false,
  };
  // First the record, so that what `begin` creates is found after a crash.
  const { storage } = caller.policy;
  const limits = {
    maxOpen: MAX_OPEN,
    maxPublished: MAX_PUBLISHED,
    ...(storage !== undefined && { maxStoredBytes: storage }),
  };
  if (!(await deps.store.add(upload, CREATION_SECONDS, limits)))
    throw new Problem('TOO_MANY_UPLOADS', `${MAX_OPEN} uploads of this client are unfinished. Finish or delete some.`, {
      retryAfterSeconds: 60,
    });
  const stored: Omit<StoredUpload, 'data'> = { uploadId, path, sizeBytes, offsetBytes: 0, root: caller.root };
  let data = '';
  try {
    const claimed = await deps.store.claim(caller.clientId, uploadId, lock.holder, CREATION_SECONDS);
    data = await deps.parts.begin(stored, toFileCheck(precondition));
    if (claimed === undefined || !(await deps.store.save(uploadId, lock.holder, { data }, deps.expirySeconds)))
      throw lostLock();
    deps.onEvent('created');
    if (sizeBytes === 0) await finishUpload(deps, context, { ...upload, data });
    return upload;
  } catch (error) {
    // If this fails, the record expires.
    await deps.parts
      .remove({ uploadId, data })
      .then(() => deps.store.remove(uploadId))
      .catch(() => undefined);
    throw error;
  }
}

const metadataTooLong = (length: number): Problem =>
  invalidRequest([
    {
      field: '/metadata',
      code: 'TOO_LONG',
      message: `Upload-Metadata has ${length} characters. At most ${MAX_METADATA} are allowed.`,
      fix: 'Send only "path", and short values of other names.',
    },
  ]);
