import { expect, test } from 'vitest';
import { parseLogLine } from './log-line.ts';
import { RunComplaintReader } from './run-complaints.ts';

const GREEN = '\u001b[48;5;0m\u001b[38;5;40m[verbose] \u001b[0m';

function read(...lines: readonly string[]) {
  const reader = new RunComplaintReader();
  for (const line of lines) reader.feed(parseLogLine(line), new Set());
  return reader.found;
}

const graphOf = (stream: string, size: string, level = GREEN) =>
  `[graph 0 input from stream ${stream} @ 0x55] ${level}w:${size.replace('x', ' h:')} pixfmt:rgb24 tb:1/25 fr:25/1 sar:1/1`;

test('a stream whose graph was configured for several sizes has pictures of different sizes', () => {
  const lines = ['160x120', '320x240', '160x120'].map((size) => graphOf('1:0', size));
  expect(read(...lines, graphOf('0:0', '16x16')).frameSizes).toEqual([
    {
      input: 1,
      stream: 0,
      sizes: [
        { width: 160, height: 120 },
        { width: 320, height: 240 },
      ],
    },
  ]);
});

test.each([
  ['mmco: unref short failure', 0],
  ['number of reference frames (0+4) exceeds max (3; probably corrupt input), discarding one', 0],
  ['error while decoding MB 3 4, bytestream -5', 1],
])('"%s" after a seek counts %i times', (text, count) => {
  const line = parseLogLine(`[h264 @ 0x55] ${GREEN.replace('verbose', 'error')}${text}`);
  const errorsIn = (seeks: boolean): number => {
    const reader = new RunComplaintReader(seeks);
    reader.feed(line, new Set(['h264']));
    return reader.found.readErrors;
  };
  expect([errorsIn(true), errorsIn(false)]).toEqual([count, 1]);
});

test('media cannot forge sizes, because their text has no colour', () => {
  const forged = ['160x120', '320x240'].map((size) => graphOf('0:0', size, '[verbose] '));
  expect(read(...forged).frameSizes).toEqual([]);
});

test.each([
  ['[info] video:111kB audio:0kB subtitle:0kB other streams:0kB', false],
  ['[out#0/mp4 @ 0x55] [info] video:111KiB audio:0KiB subtitle:0KiB other streams:0KiB', false],
  ['[info] video:111kB audio:12kB subtitle:0kB other streams:0kB', true],
  ['[info] video:111kB', undefined],
])('%s', (line, wrote) => expect(read(line).wroteAudio).toBe(wrote));

test('reads how many bytes of video and audio were written', () => {
  const line = '[out#0/mp4 @ 0x55] [info] video:111KiB audio:2KiB subtitle:0KiB other streams:0KiB';
  expect(read(line).written).toEqual({ video: 113_664, audio: 2048 });
});
