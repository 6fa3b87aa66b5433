import { expect, test } from 'vitest';
import { arrangeFiles, type FileEntry, folderOf, listText, nameOf, parentsOf } from './file-list.ts';
import { readFileSearch } from './file-search.ts';

const file = (path: string, sizeBytes: number, day: number): FileEntry => ({
  type: 'file',
  path,
  sizeBytes,
  modifiedAt: `2026-01-0${day}T00:00:00.000Z`,
});
const ENTRIES: readonly FileEntry[] = [
  file('m/take 10.mov', 5, 1),
  file('m/take 2.mov', 9, 3),
  { type: 'folder', path: 'm/takes/' },
  file('m/Alpha.mov', 5, 2),
];
const shown = (search: Parameters<typeof arrangeFiles>[1]) =>
  arrangeFiles(ENTRIES, search).map(({ path }) => nameOf(path));

test('folders come first, and numbers in names count as numbers', () => {
  expect(shown({})).toEqual(['takes', 'Alpha.mov', 'take 2.mov', 'take 10.mov']);
});

test('the largest or the newest come first', () => {
  expect(shown({ sort: 'size' })).toEqual(['takes', 'take 2.mov', 'Alpha.mov', 'take 10.mov']);
  expect(shown({ sort: 'modified' })).toEqual(['takes', 'take 2.mov', 'Alpha.mov', 'take 10.mov']);
});

test('a search looks at names, not at the folders above', () => {
  expect(shown({ q: 'TAKE' })).toEqual(['takes', 'take 2.mov', 'take 10.mov']);
  expect(shown({ q: 'm/' })).toEqual([]);
});

test('a path has a name and a folder', () => {
  expect(parentsOf('a/b/')).toEqual(['', 'a/', 'a/b/']);
  expect([folderOf('a/b/c.mov'), folderOf('a/b/'), folderOf('c.mov')]).toEqual(['a/b/', 'a/', '']);
});

test('an address says what to show; what it does not know is left out', () => {
  expect(readFileSearch({ folder: '/a/b', q: 2024, sort: 'size', other: 'x' })).toEqual({
    folder: 'a/b/',
    q: '2024',
    sort: 'size',
  });
  expect(readFileSearch({ folder: '', sort: 'colour' })).toEqual({});
});

test('a list says how many folders and files it has, and how large the files are', () => {
  expect(listText(ENTRIES)).toBe('1 folder, 3 files, 19\u00a0B');
  expect(listText(ENTRIES.slice(2, 3))).toBe('1 folder');
  expect(listText(ENTRIES.slice(0, 1))).toBe('1 file, 5\u00a0B');
});

test('the largest folder is first in the order by size, and those of unknown size are last', () => {
  const folder = (path: string, sizeBytes?: number) => ({
    path,
    type: 'folder' as const,
    ...(sizeBytes !== undefined && { sizeBytes }),
  });
  const arranged = arrangeFiles([folder('a/', 10), folder('b/'), folder('c/', 20)], { sort: 'size' });
  expect(arranged.map(({ path }) => path)).toEqual(['c/', 'a/', 'b/']);
});
