import { expect, test } from 'vitest';
import { ffmpegCall } from './ffmpeg.ts';

const ADDRESS = 'http://127.0.0.1:9';
const argv = ['-i', 'a.mp4', 'b.mp4'];

test.each([
  [['ffmpeg', ...argv], { local: false }],
  [['--local', 'ffmpeg', ...argv], { local: true }],
  [[`--url=${ADDRESS}`, 'ffmpeg', ...argv], { local: false, url: ADDRESS }],
  [['--url', ADDRESS, 'ffmpeg', ...argv], { local: false, url: ADDRESS }],
])('reads a command line of ffmpeg: %j', (words, call) => {
  expect(ffmpegCall(words)).toEqual({ argv, ...call });
});

test.each([
  [['convert', 'ffmpeg', 'b.mp4']],
  [['ffmpeg', '--help']],
  [['--url', 'ffmpeg']],
  [['--verbose', 'ffmpeg', '-i', 'a.mp4']],
  [[]],
])('leaves another command to its own reader: %j', (words) => {
  expect(ffmpegCall(words)).toBeUndefined();
});
