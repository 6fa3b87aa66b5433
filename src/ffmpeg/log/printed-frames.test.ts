import { expect, test } from 'vitest';
import { printedLineReader } from './printed-frames.ts';

const read = (lines: readonly string[]) => {
  const reader = printedLineReader();
  return lines.flatMap((line) => reader(line) ?? []);
};

test('reads the value of each frame', () => {
  expect(
    read([
      ...['frame:0    pts:0       pts_time:0', 'lavfi.r128.I=-70.000'],
      ...['frame:1    pts:4800    pts_time:0.1', 'lavfi.r128.I=-inf', 'frame:2    pts:9600    pts_time:0.2'],
      ...['lavfi.r128.I=-1.5e-05'],
    ]),
  ).toEqual([
    { at: 0, pts: '0', value: -70 },
    { at: 0.1, pts: '4800', value: Number.NEGATIVE_INFINITY },
    { at: 0.2, pts: '9600', value: -1.5e-5 },
  ]);
});

test('skips lines that are not numbers, and values without a frame', () => {
  expect(
    read(['lavfi.x=1', 'frame:0 pts:0 pts_time:0', 'lavfi.x=1;rm', 'title=one', 'lavfi.x=0x10', 'frame:1']),
  ).toEqual([]);
});
