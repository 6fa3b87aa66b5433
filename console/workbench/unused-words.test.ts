import { expect, test } from 'vitest';
import { unusedWords } from './unused-words.ts';

test('numbers of a search are said, because the user has to fill them in', () => {
  expect(unusedWords('burn in the captions 2 s earlier', [])).toEqual(['2 s earlier']);
  expect(unusedWords('fit in 8 MB at 30 fps', [])).toEqual(['8 MB', '30 fps']);
  expect(unusedWords('cut off after 1 min 20 s', [])).toEqual(['1 min 20 s']);
});

test('numbers in names, and those that the recipe has in its texts, are not said', () => {
  expect(unusedWords('mp4 to h264 in 4k', [])).toEqual([]);
  expect(unusedWords('first 10 frames', ['Keeps the first 10 frames.'])).toEqual([]);
  expect(unusedWords('make it smaller', [])).toEqual([]);
});
