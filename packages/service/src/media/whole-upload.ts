import { randomUUID } from 'node:crypto';
import type { FileStore, UploadParts, UploadSession } from '../files/ports.ts';
import type { MediaLog } from './scratch/scratch.ts';

/**
 * Begins an upload that ends in the request that began it. It needs no record: if the service crashes, its bytes are removed, and the client
 * sends them again.
 */
export async function beginWhole(
  parts: UploadParts,
  [root, path, { check, by, sizeBytes = 0 }]: Parameters<FileStore['beginUpload']>,
  log: MediaLog,
): Promise<UploadSession> {
  const upload = { clientId: '', ...by, uploadId: randomUUID(), root, path, sizeBytes, offsetBytes: 0, data: '' };
  const discard = (): Promise<void> =>
    parts.remove(upload).catch((err: unknown) => {
      // Only log this: the next start of the service removes the files.
      log.warn({ err, path }, 'files of an upload not removed');
    });
  try {
    upload.data = await parts.begin(upload, check);
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    append: async (bytes) => {
      upload.offsetBytes = await parts.append(upload, bytes);
    },
    publish: (keepsReplaced) => parts.publish(upload, check, async () => {}, keepsReplaced),
    discard,
  };
}
