import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import { TUS_EXTENSIONS } from '@telecine/contract/wire/tus.ts';
import { DataStore, type Lock, type Locker, Metadata, Upload } from '@tus/server';
import type { UploadRecord } from '../../files/ports.ts';
import type { Precondition } from '../../files/precondition.ts';
import type { UploadLock } from '../../files/upload-locks.ts';
import type { UploadContext, Uploader, UploadOperations } from '../../files/uploads.ts';

export interface TusRequest {
  readonly uploads: UploadOperations;
  readonly uploader: Uploader;
  readonly metadata: string;
  readonly precondition: Precondition;
  /** Whether a new upload keeps the file that it replaces. */
  readonly keepsReplaced?: boolean;
  readonly onAppeared: NonNullable<UploadContext['onAppeared']>;
}

/** Connects the tus library to the upload operations, for one request. The library wants a locker and a store. */
export function tusSession({ uploads, uploader, metadata, precondition, keepsReplaced, onAppeared }: TusRequest): {
  readonly locker: Locker;
  readonly datastore: DataStore;
} {
  let lock: UploadLock | undefined;
  let writing: Promise<number> | undefined;

  const locker: Locker = {
    newLock: (id): Lock => ({
      lock: async (signal, requestRelease) => {
        lock = await uploads.lock(id, signal, () => void requestRelease());
      },
      unlock: async () => {
        // The library may have given up a write that is still saving bytes. Wait for its end before releasing the lock.
        await writing?.catch(() => undefined);
        const current = lock;
        lock = undefined;
        await current?.release();
      },
    }),
  };

  const context = (): UploadContext => {
    if (lock === undefined) throw new Error('The request has not locked the upload.');
    return { ...uploader, lock, onAppeared };
  };

  class Store extends DataStore {
    override extensions = [...TUS_EXTENSIONS];

    override async create(upload: Upload): Promise<Upload> {
      await uploads.create(context(), {
        uploadId: upload.id,
        path: pathIn(upload.metadata),
        sizeBytes: upload.size ?? 0,
        metadata,
        precondition,
        ...(keepsReplaced !== undefined && { keepsReplaced }),
      });
      return upload;
    }

    override async getUpload(id: string): Promise<Upload> {
      return toUpload(await (lock === undefined ? uploads.find(uploader, id) : uploads.settle(context(), id)));
    }

    override write(bytes: AsyncIterable<Uint8Array>, id: string): Promise<number> {
      writing = uploads.append(context(), id, bytes);
      return writing;
    }

    override remove(id: string): Promise<void> {
      return uploads.remove(context(), id);
    }

    override getExpiration(): number {
      return uploads.expirySeconds * 1000;
    }
  }
  return { locker, datastore: new Store() };
}

/**
 * Converts an upload for the tus library, which computes the expiry from the creation date. Pass the current time as
 * this date, because here each use of an upload renews its lifetime.
 */
const toUpload = ({ uploadId, sizeBytes, offsetBytes, metadata }: UploadRecord): Upload =>
  new Upload({
    id: uploadId,
    size: sizeBytes,
    offset: offsetBytes,
    creation_date: new Date().toISOString(),
    ...(metadata !== '' && { metadata: Metadata.parse(metadata) }),
  });

/** Reads the path of the file. Throws INVALID_REQUEST if the metadata contain none. */
function pathIn(metadata: Upload['metadata']): string {
  const path = metadata?.['path'] ?? metadata?.['filename'];
  // U+FFFD: the decoder found bytes that are not UTF-8.
  if (path?.includes('\ufffd'))
    throw invalidRequest([
      {
        field: '/metadata/path',
        code: 'BAD_ENCODING',
        message: 'The path in Upload-Metadata is not UTF-8 in Base64.',
      },
    ]);
  if (typeof path === 'string') return path;
  throw invalidRequest([
    {
      field: '/metadata/path',
      code: 'MISSING',
      message: 'Upload-Metadata has no "path" for the file, in Base64.',
    },
  ]);
}
