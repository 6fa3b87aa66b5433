import type { Caller } from '../domain/client.ts';
import { Problem } from '../domain/problem.ts';
import { parseFilePath } from './file-path.ts';
import type { FileOperations, UploadRequest } from './operations.ts';
import type { FileStore } from './ports.ts';
import { toFileCheck } from './precondition.ts';

/** Stores an uploaded file; see `FileOperations.upload`. `maxBytes`: the limit for one file. */
export async function storeUpload(
  store: FileStore,
  maxBytes: number,
  caller: Caller,
  text: string,
  { sizeBytes, precondition, bytes }: UploadRequest,
): ReturnType<FileOperations['upload']> {
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw fileTooLarge(maxBytes);
  const path = parseFilePath(text, caller.root);
  const session = await store.beginUpload(caller.root, path, {
    check: toFileCheck(precondition),
    ...(sizeBytes !== undefined && { sizeBytes }),
  });
  try {
    await session.append(limitBytes(maxBytes, bytes));
    return await session.publish();
  } finally {
    await session.discard();
  }
}

/** Passes on `bytes`. Throws BODY_TOO_LARGE once they exceed the limit. */
async function* limitBytes(maxBytes: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > maxBytes) throw fileTooLarge(maxBytes);
    yield chunk;
  }
}

export const fileTooLarge = (maxBytes: number): Problem =>
  new Problem('BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes, the limit set by the operator.`);
