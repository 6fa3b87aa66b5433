import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { liveLines } from './board.ts';

/** A terminal that records what is written. */
function terminal(columns: number) {
  let text = '';
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  return Object.assign(stream, {
    columns,
    /** What was written since the last call, without the marks of synchronised output. */
    written: () => {
      const all = text.replaceAll('\u001b[?2026h', '').replaceAll('\u001b[?2026l', '');
      text = '';
      return all;
    },
  });
}

test('replaces its lines, and removes them at the end', () => {
  const screen = terminal(80);
  const live = liveLines(screen);
  live.draw(['one', 'two']);
  expect(screen.written()).toBe('one\ntwo');
  live.draw(['three']);
  expect(screen.written()).toBe('\r\u001b[1A\u001b[0Jthree');
  live.close();
  expect(screen.written()).toBe('\r\u001b[0J');
});

test('lines that stay are printed above', () => {
  const screen = terminal(80);
  const live = liveLines(screen);
  live.draw(['one', 'two']);
  screen.written();
  live.above(() => screen.write('done\n'));
  expect(screen.written()).toBe('\r\u001b[1A\u001b[0Jdone\none\ntwo');
});

test('removes the rows into which a terminal that became narrower has broken the lines', () => {
  const screen = terminal(80);
  const live = liveLines(screen);
  live.draw(['x'.repeat(70), '日本語']);
  screen.written();
  screen.columns = 20;
  live.draw(['y']);
  // The terminal has wrapped the first line into four rows. The second line has one row.
  expect(screen.written()).toBe('\r\u001b[4A\u001b[0Jy');
});
