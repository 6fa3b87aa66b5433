import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inPieces, PIECE_BYTES } from './reply-pieces.ts';

test('a reader that takes everything at once gets few pieces in a turn of the event loop', async () => {
  const bytes = Buffer.alloc(20 * PIECE_BYTES + 5, 'ab');
  const stream = inPieces(bytes);
  const found: Buffer[] = [];
  let isDone = false;
  stream.on('data', (piece: Buffer) => found.push(piece)).once('end', () => (isDone = true));
  let most = 0;
  while (!isDone) {
    const before = found.length;
    await setImmediate();
    most = Math.max(most, found.length - before);
  }
  expect(most).toBeLessThanOrEqual(2);
  expect(Buffer.concat(found)).toEqual(bytes);
});

test('a stream that is destroyed between two pieces ends without an error', async () => {
  const stream = inPieces(Buffer.alloc(3 * PIECE_BYTES));
  stream.once('data', () => stream.destroy());
  await once(stream, 'close');
  await setImmediate();
  expect(stream.destroyed).toBe(true);
});
