import { expect, test } from 'vitest';
import { nearest } from './closest-match.ts';

const OPTIONS = ['c:v', 'c:a', 'preset', 'framerate', 'b:v'];

test.each([
  ['presset', 'preset'],
  ['FrameRate', 'framerate'],
  ['c:w', 'c:v'],
])('%s was meant as %s', (word, meant) => expect(nearest(word, OPTIONS)).toBe(meant));

test('a word that is near nothing gets no guess', () => {
  expect(nearest('banana', OPTIONS)).toBeUndefined();
  expect(nearest('', OPTIONS)).toBeUndefined();
  expect(nearest('preset', [])).toBeUndefined();
});
