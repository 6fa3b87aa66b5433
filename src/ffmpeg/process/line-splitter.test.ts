import { expect, test } from 'vitest';
import { parseLogLine } from '../run/log-line.ts';
import { LineSplitter } from './line-splitter.ts';

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
  expect(parseLogLine(raw)).toEqual({ ...line, isColored: false });
});

test('colours are taken off, and tell who worded a line', () => {
  const error = '\u001b[0m\u001b[1;35m[NULL @ 0x56] \u001b[0m\u001b[1;31m[error] \u001b[0m\u001b[1;31mnot found';
  expect(parseLogLine(error)).toEqual({ level: 'error', component: 'NULL', text: 'not found', isColored: true });
  const many = '\u001b[48;5;0m\u001b[38;5;196m[error] \u001b[0m\u001b[48;5;0m\u001b[38;5;196mnot found';
  expect(parseLogLine(many)).toMatchObject({ text: 'not found', isColored: true });
  // The end of the colour before stands at the beginning.
  const after = parseLogLine('\u001b[0m[info]   Duration: N/A');
  expect(after).toEqual({ level: 'info', component: undefined, text: '  Duration: N/A', isColored: false });
});
