import { expect, test } from 'vitest';
import type { FileEntry } from './file-list.ts';
import { type FolderContent, walkFolders } from './walk-folders.ts';

const TREE: Readonly<Record<string, readonly string[]>> = {
  '': ['films/', 'in.mp4', 'own/'],
  'films/': ['films/2026/', 'films/marathon.mp4'],
  'films/2026/': ['films/2026/a.mp4'],
  'own/': ['own/b.mp4'],
};

const entry = (path: string): FileEntry => ({ path, type: path.endsWith('/') ? 'folder' : 'file' });

function reader(isCut = (_folder: string): boolean => false) {
  const reads: string[] = [];
  const read = async (folder: string): Promise<FolderContent> => {
    reads.push(folder);
    return { entries: (TREE[folder] ?? []).map(entry), isCut: isCut(folder) };
  };
  return { reads, read };
}

test('all folders are read once, those near the top first, and the unwanted ones not', async () => {
  const { reads, read } = reader();
  const { entries, isCut } = await walkFolders('', read, (folder) => folder !== 'own/');
  expect(reads).toEqual(['', 'films/', 'films/2026/']);
  expect(entries.map(({ path }) => path)).toEqual(
    ['', 'films/', 'films/2026/'].flatMap((folder) => TREE[folder] ?? []),
  );
  expect(isCut).toBe(false);
});

test('says that there is more, of too many folders and of a folder with too many files', async () => {
  const limits = { folders: 2, atOnce: 4, entries: 100 };
  const few = reader();
  expect((await walkFolders('', few.read, undefined, limits)).isCut).toBe(true);
  expect(few.reads).toHaveLength(2);
  const { read } = reader((folder) => folder === 'own/');
  expect((await walkFolders('', read)).isCut).toBe(true);
  const many = reader();
  expect((await walkFolders('', many.read, undefined, { folders: 9, atOnce: 1, entries: 3 })).isCut).toBe(true);
});
