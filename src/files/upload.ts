import { randomUUID } from 'node:crypto';
import type { Caller } from '../domain/client.ts';
import type { MediaPath } from '../domain/media-path.ts';
import { Problem } from '../domain/problem.ts';
import { type RecountFiles, type StoredFiles, storageExceeded, storageRoom } from '../domain/stored-files.ts';
import { parseFilePath } from './file-path.ts';
import type { FileOperations, UploadRequest } from './operations.ts';
import type { FileStore } from './ports.ts';
import { toFileCheck } from './precondition.ts';

interface UploadDeps {
  readonly store: FileStore;
  readonly stored: Pick<StoredFiles, 'count' | 'used' | 'find'>;
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
  const { store, stored, recount } = deps;
  const path = parseFilePath(text, caller.root);
  const checkSize = await sizeCheck(deps, caller, path);
  // A client that sends no length has at least one byte to send.
  checkSize(sizeBytes ?? 1);
  const session = await store.beginUpload(caller.root, path, {
    check: toFileCheck(precondition),
    ...(sizeBytes !== undefined && { sizeBytes }),
  });
  try {
    let received = 0;
    const counted = eachChunk(bytes, (length) => {
      received += length;
      checkSize(received);
    });
    await session.append(counted);
    const version = randomUUID();
    await stored.count(caller.clientId, [{ path, bytes: received }], { version, limit: caller.policy.storage });
    const published = await session.publish().catch(async (error) => {
      await recount(caller.clientId, [path]);
      throw error;
    });
    await recount(caller.clientId, [path], version);
    return published;
  } finally {
    await session.discard();
  }
}

/**
 * Returns a check of how many bytes a file has at least, so that no body is read that does not fit. It throws BODY_TOO_LARGE and
 * QUOTA_EXCEEDED. Bodies that arrive at the same time do not count yet: `StoredFiles.count` decides.
 */
async function sizeCheck(
  { stored, maxBytes }: Pick<UploadDeps, 'stored' | 'maxBytes'>,
  { clientId, policy: { storage } }: Caller,
  path: MediaPath,
): Promise<(bytes: number) => void> {
  const room = storage === undefined ? undefined : await storageRoom(stored, clientId, path, storage);
  return (bytes) => {
    if (bytes > maxBytes) throw fileTooLarge(maxBytes);
    if (storage !== undefined && room !== undefined && bytes > room.maxBytes)
      throw storageExceeded(room.usedBytes, bytes - room.replacedBytes, storage);
  };
}

/** Passes on `bytes`, after `onChunk` has got the length of each chunk. Throws what it throws. */
async function* eachChunk(
  bytes: AsyncIterable<Uint8Array>,
  onChunk: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onChunk(chunk.length);
    yield chunk;
  }
}

export const fileTooLarge = (maxBytes: number): Problem =>
  new Problem('BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes, the limit set by the operator.`);
