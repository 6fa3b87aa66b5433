import { Readable } from 'node:stream';

/** The size of a piece. A reply of which a client takes less than one piece in the stall time is stalled. */
export const PIECE_BYTES = 64 * 1024;

/** A stream of views of `bytes`, which copies nothing. Several streams may share the bytes. */
export function inPieces(bytes: Buffer): Readable {
  let offset = 0;
  return new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      const piece = bytes.subarray(offset, offset + PIECE_BYTES);
      offset += piece.length;
      this.push(piece.length === 0 ? null : piece);
    },
  });
}
