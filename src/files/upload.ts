import type { Caller } from '../domain/client.ts';
import { Problem } from '../domain/problem.ts';
import { filePath } from './file-path.ts';
import type { FileOperations, Upload } from './operations.ts';
import type { FileStore } from './ports.ts';
import { checkOf } from './precondition.ts';

/** Takes a file in; see `FileOperations.upload`. `maxBytes`: of one file. */
export async function upload(
  store: FileStore,
  maxBytes: number,
  caller: Caller,
  text: string,
  { sizeBytes, precondition, bytes }: Upload,
): ReturnType<FileOperations['upload']> {
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw tooLarge(maxBytes);
  const path = filePath(text, caller.root);
  const pending = await store.beginUpload(caller.root, path, {
    check: checkOf(precondition),
    ...(sizeBytes !== undefined && { sizeBytes }),
  });
  try {
    await pending.append(upTo(maxBytes, bytes));
    return await pending.publish();
  } finally {
    await pending.discard();
  }
}

/** What does not say its length is counted. */
async function* upTo(maxBytes: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

const tooLarge = (maxBytes: number): Problem =>
  new Problem('BODY_TOO_LARGE', `A file may have at most ${maxBytes} bytes. The operator can allow more.`);
