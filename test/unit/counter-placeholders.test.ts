import { expect, test } from 'vitest';
import { corrected, film, mistakesIn } from '../support/mistakes.ts';

test.each(['thumb_%03d.jpg', 'frame#1_%d.png'])('%s has a counter', (output) => {
  expect(mistakesIn(film({ vf: 'fps=1' }, output))).toEqual([]);
});

test.each(['{n}.png', 'a#1.png', '$5.png'])('one picture may be called %s', (output) => {
  expect(mistakesIn(film({ 'frames:v': '1' }, output))).toEqual([]);
});

test('the names of segments get their counter where another one stands', () => {
  const segments = film({ f: 'segment', segment_time: '2' }, 'part{n}.mp4');
  expect(corrected(segments, 1)).toEqual({ ...segments, output: 'part%03d.mp4' });
  const playlist = film({ hls_segment_filename: 'part{n}.ts' }, 'list.m3u8');
  expect(corrected(playlist, 1)).toEqual(film({ hls_segment_filename: 'part%03d.ts' }, 'list.m3u8'));
});
