import { expect, test } from 'vitest';
import { defaultWords } from './default-words.ts';

test('the words of a default are read from the description of an argument', () => {
  expect(defaultWords('The colour of the letters. Default: the colour in the file, or white.')).toBe(
    'the colour in the file, or white',
  );
  expect(defaultWords('The size. Default: 5.6, or the size in the file.')).toBe('5.6, or the size in the file');
  expect(defaultWords('The quality of the video.')).toBeUndefined();
});
