import { expect, test } from 'vitest';
import { pathsInText } from './paths-in-text.ts';

test.each([
  ['a.mp4,b.mp4', ['a.mp4', 'b.mp4']],
  ['in/a b.mov; c.mp3', ['in/a b.mov', 'c.mp3']],
  ['a.mp4\nb.mp4', ['a.mp4', 'b.mp4']],
  ['in/a.wav|in/b.wav', ['in/a.wav', 'in/b.wav']],
  ['in/a.mp4 in/b c.mov', ['in/a.mp4', 'in/b c.mov']],
])('%j lists %j', (text, paths) => {
  expect(pathsInText(text)).toEqual(paths);
});

test('blanks are part of names where a list has none', () => {
  expect(pathsInText('My.mp4 old.mp4', { blanks: false })).toBeUndefined();
  expect(pathsInText('a b.mp4,c.mp4', { blanks: false })).toEqual(['a b.mp4', 'c.mp4']);
});

test.each([
  'a.mp4',
  'Smith, John.mp4',
  'a,b.mp4',
  'Mr.Smith goes home.mp4',
  '1.50, 2.50',
  'a.mp4,',
  '["a.mp4","b.mp4"]',
  `${'a.mp4,'.repeat(1000)}b.mp4`,
])('%j is no list of files', (text) => {
  expect(pathsInText(text)).toBeUndefined();
});
