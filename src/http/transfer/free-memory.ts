/**
 * Frees the memory of a buffer that nothing uses any more. The buffer then has no bytes. V8 collects buffers late, because they
 * are small objects for it: a thousand of them keep a hundred megabytes. A buffer that shares its memory is left to V8.
 */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
