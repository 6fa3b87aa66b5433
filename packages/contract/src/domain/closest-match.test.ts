import { expect, test } from 'vitest';
import { closestMatch } from './closest-match.ts';

const OPTIONS = ['c:v', 'c:a', 'preset', 'framerate', 'b:v'];

test.each([
  ['presset', 'preset'],
  ['FrameRate', 'framerate'],
  ['c:w', 'c:v'],
])('the closest match of %s is %s', (word, meant) => expect(closestMatch(word, OPTIONS)).toBe(meant));

test('a word without a close candidate has no match', () => {
  expect(closestMatch('banana', OPTIONS)).toBeUndefined();
  expect(closestMatch('', OPTIONS)).toBeUndefined();
  expect(closestMatch('preset', [])).toBeUndefined();
});

test('of names with several parts, each part is close', () => {
  expect(closestMatch('pixel_fromat', ['pixel_format'])).toBe('pixel_format');
  expect(closestMatch('print_format', ['pixel_format'])).toBeUndefined();
  expect(closestMatch('audio-format', ['video_format'])).toBeUndefined();
  expect(closestMatch('max_width', ['bandwidth'])).toBeUndefined();
  expect(closestMatch('pixelformat', ['pixel_format'])).toBe('pixel_format');
  expect(closestMatch('sampel_format', ['samplefmt', 'sample_fmt', 'sample_format'])).toBe('sample_format');
});
