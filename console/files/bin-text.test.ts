import { expect, test } from 'vitest';
import { binText } from './bin-text.ts';

const entry = (path: string) => ({ path, sizeBytes: 10 });

test('a bin is named by what is in it', () => {
  expect(binText([entry('a.mp4')], 10)).toBe('a.mp4');
  expect(binText([entry('a.mp4'), entry('b/c.mp4'), entry('old/')], 30)).toBe('2 files and 1 folder');
});

test('a bin with more entries than the list says so', () => {
  expect(binText([entry('a.mp4'), entry('b.mp4')], 50)).toBe('2 files and more');
});
