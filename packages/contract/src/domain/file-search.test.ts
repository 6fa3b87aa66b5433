import { expect, test } from 'vitest';
import { fileSearch, fileSearchWords } from './file-search.ts';

const PATHS = ['Films/', 'Films/2026/Marathon take 2.mp4', 'Films/mara/a.mp4', 'söng.flac'];

const found = (q: string): readonly string[] => PATHS.filter(fileSearch(q));

test('each word is a part of the path, and the last one of the name, in upper or lower case', () => {
  expect(found('MARA')).toEqual(['Films/2026/Marathon take 2.mp4']);
  expect(found('films mara')).toEqual(['Films/2026/Marathon take 2.mp4']);
  expect(found('lms/mara')).toEqual(['Films/2026/Marathon take 2.mp4']);
  expect(found('mara mp4')).toEqual(['Films/2026/Marathon take 2.mp4', 'Films/mara/a.mp4']);
  expect(found('film')).toEqual(['Films/']);
  expect(found('"take 2"')).toEqual(['Films/2026/Marathon take 2.mp4']);
  expect(found('"2 take"')).toEqual([]);
  expect(found('"lms/2026/mara"')).toEqual(['Films/2026/Marathon take 2.mp4']);
  // The letter and its dots as two characters.
  expect(found('so\u0308')).toEqual(['söng.flac']);
});

test('a text without letters of a name has no words, and means no file', () => {
  for (const q of ['', ' ', '/', '"/"']) expect([fileSearchWords(q), found(q)], q).toEqual([[], []]);
});
