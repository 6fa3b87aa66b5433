import { expect, test } from 'vitest';
import type { FileEntry } from '../files/file-list.ts';
import { filesContaining, hasExtension, similarFiles } from './similar-files.ts';

const entry = (path: string): FileEntry => ({ path, type: path.endsWith('/') ? 'folder' : 'file' });
const ENTRIES = ['bunny-480p.mp4', 'Bunny-1080p.MP4', 'song.flac', 'bunny/'].map(entry);

test('files are found by the middle of their names, in any case, and folders first', () => {
  const found = (text: string) => filesContaining(ENTRIES, text).map(({ path }) => path);
  expect(found('480')).toEqual(['bunny-480p.mp4']);
  expect(found('UNN')).toEqual(['bunny/', 'bunny-480p.mp4', 'Bunny-1080p.MP4']);
  expect(found('')).toEqual([]);
  expect(filesContaining([entry('web/film-480p.mp4')], 'web/480')).toHaveLength(1);
  expect(filesContaining([entry('web/film.mp4')], 'web/')).toEqual([]);
});

test('the files that a wrong path probably means are offered, without folders', () => {
  expect(similarFiles(ENTRIES, '480p', 3)).toEqual(['bunny-480p.mp4']);
  expect(similarFiles(ENTRIES, '480p.mp4', 3)).toEqual(['bunny-480p.mp4']);
  expect(similarFiles(ENTRIES, 'song.wav', 3)).toEqual(['song.flac']);
  expect(similarFiles(ENTRIES, 'my-song-2.flac', 3)).toEqual(['song.flac']);
  expect(similarFiles(ENTRIES, 'bunny', 1)).toEqual(['bunny-480p.mp4']);
  expect(similarFiles(ENTRIES, 'talk.mp4', 3)).toEqual([]);
});

test('a name with an extension is complete', () => {
  expect(['in.mp4', 'a/b.flac', 'x.7z'].map(hasExtension)).toEqual([true, true, true]);
  expect(['480p', 'film', 'a.b/film', '.mp4', 'v1.', ''].map(hasExtension)).toEqual(Array(6).fill(false));
});
