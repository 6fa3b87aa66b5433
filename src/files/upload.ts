import { randomUUID } from 'node:crypto';
import type { Caller } from '../domain/client.ts';
import { Problem } from '../domain/problem.ts';
import { checkStorage, type RecountFiles, type StoredFiles } from '../domain/stored-files.ts';
import { parseFilePath } from './file-path.ts';
import type { FileOperations, UploadRequest } from './operations.ts';
import type { FileStore } from './ports.ts';
import { toFileCheck } from './precondition.ts';

interface UploadDeps {
  readonly store: FileStore;
  readonly stored: Pick<StoredFiles, 'count' | 'used'>;
  readonly recount: RecountFiles;
  /** The limit for one file. */
  readonly maxBytes: number;
}

/** Stores an uploaded file; see `FileOperations.upload`. */
export async function storeUpload(
  { store, stored, recount, maxBytes }: UploadDeps,
  caller: Caller,
  text: string,
  { sizeBytes, precondition, bytes }: UploadRequest,
): ReturnType<FileOperations['upload']> {
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw fileTooLarge(maxBytes);
  const path = parseFilePath(text, caller.root);
  const { storage } = caller.policy;
  await checkStorage(stored, caller.clientId, storage);
  const session = await store.beginUpload(caller.root, path, {
    check: toFileCheck(precondition),
    ...(sizeBytes !== undefined && { sizeBytes }),
  });
  try {
    let received = 0;
    const counted = limitBytes(maxBytes, bytes, (length) => {
      received += length;
    });
    await session.append(counted);
    const version = randomUUID();
    await stored.count(caller.clientId, [{ path, bytes: received }], { version, limit: storage });
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

/** Passes on `bytes`, and the length of each chunk to `onChunk`. Throws BODY_TOO_LARGE once they exceed the limit. */
async function* limitBytes(
  maxBytes: number,
  bytes: AsyncIterable<Uint8Array>,
  onChunk: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > maxBytes) throw fileTooLarge(maxBytes);
    onChunk(chunk.length);
    yield chunk;
  }
}

export const fileTooLarge = (maxBytes: number): Problem =>
  new Problem('BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes, the limit set by the operator.`);
