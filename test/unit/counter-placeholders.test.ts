import { expect, test } from 'vitest';
import { film, mistakesIn } from '../support/mistakes.ts';

test.each(['thumb_%03d.jpg', 'frame#1_%d.png'])('%s has a counter', (output) => {
  expect(mistakesIn(film({ vf: 'fps=1' }, output))).toEqual([]);
});

test.each(['{n}.png', 'a#1.png', '$5.png'])('one picture may be called %s', (output) => {
  expect(mistakesIn(film({ 'frames:v': '1' }, output))).toEqual([]);
});

test.each([
  [film({ f: 'segment', segment_time: '2' }, 'part{n}.mp4'), '/output'],
  [film({ hls_segment_filename: 'part{n}.ts' }, 'list.m3u8'), '/parameters/hls_segment_filename'],
])('the names of segments need a counter of ffmpeg: %j', (request, field) => {
  expect(mistakesIn(request)).toMatchObject([
    { field, code: 'NEEDS_COUNTER', allowed: expect.arrayContaining([expect.stringContaining('%03d')]) },
  ]);
});
