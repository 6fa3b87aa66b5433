import { expect, test } from 'vitest';
import { LineSplitter } from './lines.ts';
import { parseLogLine } from './log-line.ts';

function split(...chunks: readonly string[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

test('lines come whole, however the stream is cut, and the last needs no end', () => {
  expect(split('a', 'b\nc\n', '\nd\r\n', 'e')).toEqual(['ab', 'c', '', 'd', 'e']);
});

test('a line without end does not grow for ever', () => {
  expect(split(...Array.from({ length: 100 }, () => 'x'.repeat(1000)), '\nnext\n').map((l) => l.length)).toEqual([
    4096, 4,
  ]);
});

test.each([
  ['[info]   Duration: N/A', { level: 'info', component: undefined, text: '  Duration: N/A' }],
  ['[h264 @ 0x55d0] [error] no frame!', { level: 'error', component: 'h264', text: 'no frame!' }],
  ['[swscaler @ 0x1] [swscaler @ 0x2] [warning] w', { level: 'warning', component: 'swscaler', text: 'w' }],
  ['[in#0/mov,mp4 @ 0x5] [fatal] f', { level: 'fatal', component: 'in#0/mov,mp4', text: 'f' }],
  ['x265 [info]: frame I', { level: undefined, component: undefined, text: 'x265 [info]: frame I' }],
])('%s is taken apart', (raw, line) => {
  expect(parseLogLine(raw)).toEqual(line);
});
