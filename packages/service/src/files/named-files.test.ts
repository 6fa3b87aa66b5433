import { expect, test } from 'vitest';
import { relativeNames, titleOf } from './named-files.ts';

test.each([
  [['a/b/film.mp4'], ['film.mp4']],
  [
    ['hls/master.m3u8', 'hls/720/a.ts', 'hls/480/a.ts'],
    ['master.m3u8', '720/a.ts', '480/a.ts'],
  ],
  [
    ['film.mp4', 'posters/film.jpg'],
    ['film.mp4', 'posters/film.jpg'],
  ],
  [
    ['ab/x.mp4', 'a/x.mp4'],
    ['ab/x.mp4', 'a/x.mp4'],
  ],
  [
    ['s3://bucket/out/a.mp4', 's3://bucket/out/b.jpg'],
    ['a.mp4', 'b.jpg'],
  ],
  [[], []],
])('%j are named %j', (paths, names) => {
  expect(relativeNames(paths)).toEqual(names);
});

test('a title is a name without its extension', () => {
  expect(['a/film.mp4', 'film', '.hidden', 'v1.2/film.tar.gz'].map(titleOf)).toEqual([
    'film',
    'film',
    '.hidden',
    'film.tar',
  ]);
});
