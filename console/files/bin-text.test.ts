import { expect, test } from 'vitest';
import { binText, namesText } from './bin-text.ts';

const entry = (path: string) => ({ path, sizeBytes: 10 });

test('a bin is named by what is in it', () => {
  expect(binText([entry('a.mp4')], 10)).toBe('a.mp4');
  expect(binText([entry('a.mp4'), entry('b/c.mp4'), entry('old/')], 30)).toBe('2 files and 1 folder');
});

test('a bin with more entries than the list says so', () => {
  expect(binText([entry('a.mp4'), entry('b.mp4')], 50)).toBe('2 files and more');
});

test('the first entries of a bin are named, and the others counted', () => {
  const names = ['a.mp4', 'b/c.mp4', 'old/', 'd.mp4', 'e.mp4'];
  expect(namesText(names.slice(0, 1).map(entry), 10)).toBe('a.mp4');
  expect(namesText(names.slice(0, 3).map(entry), 30)).toBe('a.mp4, c.mp4 and old/');
  expect(namesText(names.map(entry), 50)).toBe('a.mp4, c.mp4, old/ and 2 more');
  expect(namesText(names.map(entry), 90)).toBe('a.mp4, c.mp4, old/ and others');
});
