import { expect, test } from 'vitest';
import { replacedText } from './replaced-text.ts';

test('files that are all in the bin are replaced, and an undo brings them back', () => {
  expect(replacedText(['a.txt'], 1)).toBe('Replaced a.txt.');
  expect(replacedText(['a.txt', 'b.txt'], 2)).toBe('Replaced 2 files.');
});

test('an upload without an earlier file in the bin does not claim that one was replaced', () => {
  expect(replacedText(['a.txt'], 0)).toBe('Uploaded a.txt. No earlier file was kept in the bin.');
  expect(replacedText(['a.txt', 'b.txt'], 0)).toBe('Uploaded 2 files. No earlier file was kept in the bin.');
});

test('several uploads say how many of the earlier files cannot come back', () => {
  expect(replacedText(['a.txt', 'b.txt'], 1)).toBe('Replaced 2 files. 1 of the earlier files was not kept.');
  expect(replacedText(['a.txt', 'b.txt', 'c.txt'], 1)).toBe('Replaced 3 files. 2 of the earlier files were not kept.');
});
