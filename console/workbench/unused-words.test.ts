import { expect, test } from 'vitest';
import { unusedWords } from './unused-words.ts';

test('numbers that no argument has are named with their words', () => {
  expect(unusedWords('burn in the captions 2 s earlier', [])).toEqual(['2 s earlier']);
  expect(unusedWords('fit in 8 MB at 30 fps', [8])).toEqual(['30 fps']);
});

test('numbers that arguments have, also in other units, are not', () => {
  expect(unusedWords('fit in 8 MB', [8])).toEqual([]);
  expect(unusedWords('fit in 1 GB', [1000])).toEqual([]);
  expect(unusedWords('gif of 0:05 to 0:12', [5, 7])).toEqual([]);
  expect(unusedWords('parts of 10 minutes', [600])).toEqual([]);
  expect(unusedWords('cut off after 1 min 20 s', [80])).toEqual([]);
  expect(unusedWords('cut off after 1 min 20 s', [])).toEqual(['1 min 20 s']);
  expect(unusedWords('crop to 16:9', ['16:9'])).toEqual([]);
});

test('names with digits are no numbers, nor is what the recipe does anyway', () => {
  expect(unusedWords('mp4 to h264 in 4k', [])).toEqual([]);
  expect(unusedWords('first 10 frames', [], ['Keeps the first 10 frames.'])).toEqual([]);
  expect(unusedWords('make it smaller', [])).toEqual([]);
});
