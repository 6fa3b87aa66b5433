import { expect, test } from 'vitest';
import { nameInFolder } from './folder-output.ts';

test.each([
  ['hls', 'films/trailer.mp4', 'index.m3u8'],
  ['dash', 'trailer.mp4', 'index.mpd'],
  ['matroska', 'films/my trailer.mp4', 'my trailer.mkv'],
  ['mp3', 'films/trailer.mov', 'trailer.mp3'],
  [undefined, 'trailer.mov', 'trailer.mp4'],
  [undefined, undefined, 'movie.mp4'],
])('an output of the format %s for %s may be called %s', (format, input, name) => {
  expect(nameInFolder(format, input)).toBe(name);
});
