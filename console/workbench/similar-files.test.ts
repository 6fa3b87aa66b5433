import { expect, test } from 'vitest';
import type { FileEntry } from '../files/file-list.ts';
import { bestFirst, hasExtension, isEndOf } from './similar-files.ts';

const entry = (path: string): FileEntry => ({ path, type: path.endsWith('/') ? 'folder' : 'file' });

test('of found files, folders and names that begin with the last word come first', () => {
  const sorted = (text: string, ...paths: string[]) => bestFirst(paths.map(entry), text).map(({ path }) => path);
  expect(sorted('UNN', 'Bunny-1080p.MP4', 'bunny-480p.mp4', 'bunny/')).toEqual([
    ...['bunny/', 'bunny-480p.mp4', 'Bunny-1080p.MP4'],
  ]);
  expect(sorted('films Mara', 'films/a marathon.mov', 'films/marathon.mp4')).toEqual([
    ...['films/marathon.mp4', 'films/a marathon.mov'],
  ]);
});

test('a whole name is the end of its path', () => {
  expect(['marathon.mp4', 'Films/marathon.mp4'].every((text) => isEndOf(text, 'films/marathon.mp4'))).toBe(true);
  // Names of macOS have the letter and its dots as two characters.
  expect(isEndOf('s\u00f6ng.flac', 'films/so\u0308ng.flac')).toBe(true);
  expect(['thon.mp4', 'marathon', 'other/marathon.mp4'].some((text) => isEndOf(text, 'films/marathon.mp4'))).toBe(
    false,
  );
});

test('a name with an extension is complete', () => {
  expect(['in.mp4', 'a/b.flac', 'x.7z'].map(hasExtension)).toEqual([true, true, true]);
  expect(['480p', 'film', 'a.b/film', '.mp4', 'v1.', ''].map(hasExtension)).toEqual(Array(6).fill(false));
});
