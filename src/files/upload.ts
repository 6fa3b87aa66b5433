import { randomUUID } from 'node:crypto';
import type { Caller } from '../domain/client.ts';
import { Problem } from '../domain/problem.ts';
import { isStoreOutage } from '../domain/store-errors.ts';
import type { RecountFiles, StoredFiles } from '../domain/stored-files.ts';
import { parseFilePath } from './file-path.ts';
import type { FileOperations, UploadRequest } from './operations.ts';
import type { FileStore } from './ports.ts';
import { toFileCheck } from './precondition.ts';
import { uploadRoom } from './upload-room.ts';

interface UploadDeps {
  readonly store: FileStore;
  readonly stored: Pick<StoredFiles, 'reserve' | 'release' | 'count'>;
  readonly recount: RecountFiles;
  /** The limit for one file. */
  readonly maxBytes: number;
}

/** Stores an uploaded file; see `FileOperations.upload`. */
export async function storeUpload(
  deps: UploadDeps,
  caller: Caller,
  text: string,
  { sizeBytes, precondition, bytes }: UploadRequest,
): ReturnType<FileOperations['upload']> {
  const { store, stored, recount, maxBytes } = deps;
  const path = parseFilePath(text, caller.root);
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw fileTooLarge(maxBytes);
  const version = randomUUID();
  const room = uploadRoom({ stored, recount }, caller, path, version);
  try {
    await room.announce(sizeBytes);
    const session = await store.beginUpload(caller.root, path, {
      check: toFileCheck(precondition),
      ...(sizeBytes !== undefined && { sizeBytes }),
    });
    try {
      let received = 0;
      const counted = eachChunk(bytes, async (length) => {
        received += length;
        if (received > maxBytes) throw fileTooLarge(maxBytes);
        await room.use(received);
      });
      await session.append(counted);
      const recountFile = (hasAppeared: boolean) => recount(caller.clientId, [path], { version, hasAppeared });
      await room.count(received).catch(async (error) => {
        // The reply to a commit can be lost.
        if (isStoreOutage(error)) await recountFile(false);
        throw error;
      });
      const published = await session.publish().catch(async (error) => {
        await recountFile(false);
        throw error;
      });
      await recountFile(true);
      return published;
    } finally {
      await session.discard();
    }
  } finally {
    await room.release();
  }
}

/** Passes on `bytes`, each chunk once `onChunk` has got its length. Throws what it throws. */
async function* eachChunk(
  bytes: AsyncIterable<Uint8Array>,
  onChunk: (length: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    await onChunk(chunk.length);
    yield chunk;
  }
}

export const fileTooLarge = (maxBytes: number): Problem =>
  new Problem('BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes, the limit set by the operator.`);
