import { Readable } from 'node:stream';

/** The size of a piece. A reply of which a client takes less than one piece in the stall time is stalled. */
export const PIECE_BYTES = 64 * 1024;

/**
 * A stream of views of `buffers`, which copies nothing. Several streams may share them. Each piece has a turn of the event loop
 * of its own, because a socket takes megabytes at once, and hundreds of replies may begin together.
 */
export function inPieces(...buffers: readonly Buffer[]): Readable {
  const pieces = piecesOf(buffers);
  let isFirst = true;
  const pushNext = (stream: Readable): void => {
    stream.push(pieces.next().value ?? null);
  };
  return new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      if (isFirst) pushNext(this);
      else setImmediate(pushNext, this);
      isFirst = false;
    },
  });
}

function* piecesOf(buffers: readonly Buffer[]): Generator<Buffer, undefined> {
  for (const buffer of buffers)
    for (let offset = 0; offset < buffer.length; offset += PIECE_BYTES)
      yield buffer.subarray(offset, offset + PIECE_BYTES);
}
