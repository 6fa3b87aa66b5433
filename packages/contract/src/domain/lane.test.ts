import { expect, test } from 'vitest';
import { describeNeeds } from './lane.ts';

test.each([
  [['encoder:libsvtav1'], 'encoder libsvtav1'],
  [['bsf:setts', 'encoder:libx265'], 'bitstream filter setts and encoder libx265'],
  [['encoder:a', 'filter:b', 'muxer:c'], 'encoder a, filter b and muxer c'],
  [['device:cuda', 'device:h264_nvenc'], 'hardware device cuda and hardware encoder h264_nvenc'],
  [['build:12|34'], 'a build of ffmpeg that runs this request'],
  [['encoder:libx265', 'speed:x265'], 'encoder libx265'],
  [['speed:x264'], ''],
  [['build:12', 'filter:b'], 'filter b and a build of ffmpeg that runs this request'],
])('describes %j as "%s"', (needs, text) => {
  expect(describeNeeds(needs)).toBe(text);
});
