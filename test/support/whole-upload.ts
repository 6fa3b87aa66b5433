import { randomUUID } from 'node:crypto';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { MediaRoot } from '../../packages/contract/src/domain/media-root.ts';
import type {
  ChangedBy,
  FileCheck,
  FileStore,
  Published,
  StoredUpload,
  UploadParts,
} from '../../packages/service/src/files/ports.ts';

/** A file store by which tests store whole files, as a `PUT` does. */
export interface WholeUploads {
  readonly parts: UploadParts;
  beginUpload(
    root: MediaRoot,
    path: MediaPath,
    options: { readonly check: FileCheck; readonly sizeBytes?: number; readonly by?: ChangedBy },
  ): Promise<{
    append(bytes: AsyncIterable<Uint8Array>): Promise<void>;
    publish(keepsReplaced?: boolean): Promise<Published>;
    discard(): Promise<void>;
  }>;
}

export type FilesWithUploads = FileStore & WholeUploads;

/** Adds uploads of whole files to a file store. */
export const withUploads = <F extends FileStore>(files: F, parts: UploadParts): F & WholeUploads => ({
  ...files,
  parts,
  beginUpload: async (root, path, { check, by, sizeBytes }) => {
    let upload: StoredUpload = {
      ...{ clientId: 'own', ...by, uploadId: randomUUID() },
      ...{ root, path, sizeBytes, offsetBytes: 0, data: '' },
    };
    let rest: Uint8Array | undefined;
    await parts.begin(upload, check);
    return {
      append: async (bytes) => {
        const before = rest ?? new Uint8Array();
        const all = (async function* () {
          yield before;
          yield* bytes;
        })();
        upload = { ...upload, offsetBytes: upload.offsetBytes - before.length };
        const appended = await parts.append(upload, all, async (change) => {
          upload = { ...upload, ...change };
        });
        upload = { ...upload, offsetBytes: appended.offsetBytes };
        rest = appended.rest;
      },
      publish: async (keepsReplaced = false) => parts.publish(upload, { check, keepsReplaced, rest }),
      discard: () => parts.remove(upload),
    };
  },
});
