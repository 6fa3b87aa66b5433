import type { FileHandle } from 'node:fs/promises';

/** Writes a chunk. On a nearly full disk, one write may store only a part of it, so the rest is written again. */
export async function writeAll(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < chunk.length; )
    written += (await handle.write(chunk, written, chunk.length - written, position + written)).bytesWritten;
}
