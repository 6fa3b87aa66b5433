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
