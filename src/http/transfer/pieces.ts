import { Readable } from 'node:stream';

/** The size of a piece. A reply of which a client takes less than one piece in the stall time is stalled. */
export const PIECE_BYTES = 64 * 1024;

/**
 * A stream of views of `bytes`, which copies nothing. Several streams may share the bytes. Each piece has a turn of the event loop
 * of its own, because a socket takes megabytes at once, and hundreds of replies may begin together.
 */
export function inPieces(bytes: Buffer): Readable {
  let offset = 0;
  const pushNext = (stream: Readable): void => {
    const piece = bytes.subarray(offset, offset + PIECE_BYTES);
    offset += piece.length;
    stream.push(piece.length === 0 ? null : piece);
  };
  return new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      if (offset === 0) pushNext(this);
      else setImmediate(pushNext, this);
    },
  });
}
