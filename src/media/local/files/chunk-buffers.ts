/** The memory of the chunks of a stream. */
export interface ChunkBuffers {
  /** The memory for the next chunk: at least `length` bytes. */
  next(length: number): Buffer;
  /** The next chunk has so many bytes. */
  fill(bytes: number): void;
}

/**
 * Uses two buffers in turn: one is read into while the socket takes the other. With memory of its own for each chunk, a thousand
 * readers together leave gigabytes as garbage, and the process grows until the next garbage collection.
 *
 * @param inUse How many of the last bytes are still in use. A buffer that has some of them is replaced by a new one. Absent: all.
 */
export function chunkBuffers(inUse?: () => number): ChunkBuffers {
  /** A buffer, and how many bytes there were when it was full. The one that was used last comes last. */
  let [older, newer] = [
    { buffer: Buffer.alloc(0), end: 0 },
    { buffer: Buffer.alloc(0), end: 0 },
  ];
  let total = 0;
  return {
    next: (length) => {
      const isFree = inUse !== undefined && older.buffer.length >= length && older.end <= total - inUse();
      const buffer = isFree ? older.buffer : Buffer.allocUnsafe(length);
      [older, newer] = [newer, { buffer, end: total }];
      return buffer;
    },
    fill: (bytes) => {
      total += bytes;
      newer.end = total;
    },
  };
}
