import { expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

function split(...chunks: readonly string[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

test('splits chunks of any size into whole lines, and the last line needs no line feed', () => {
  expect(split('a', 'b\nc\n', '\nd\r\n', 'e')).toEqual(['ab', 'c', '', 'd', 'e']);
});

test('a line without a line feed is cut to 4096 characters', () => {
  expect(split(...Array.from({ length: 100 }, () => 'x'.repeat(1000)), '\nnext\n').map((l) => l.length)).toEqual([
    4096, 4,
  ]);
});
