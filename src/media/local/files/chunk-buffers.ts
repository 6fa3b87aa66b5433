/** The memory of the chunks of a stream. */
export interface ChunkBuffers {
  /** The memory for the next chunk: at least `length` bytes. */
  next(length: number): Buffer;
  /** Adds a chunk of so many bytes. */
  fill(bytes: number): void;
}

/**
 * Uses two buffers in turn: a file is read into one while the socket takes the other. With a new buffer for each chunk, a
 * thousand readers leave gigabytes of garbage, and the process grows until the next garbage collection.
 *
 * @param inUse How many of the last bytes are still in use. A new buffer replaces one that has some of them. Absent: all are.
 */
export function chunkBuffers(inUse?: () => number): ChunkBuffers {
  /** The two buffers. `end`: how many bytes there were in all when the buffer was full. */
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
