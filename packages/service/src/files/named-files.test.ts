import { expect, test } from 'vitest';
import { sharedFolder, titleOf } from './named-files.ts';

test.each([
  [['a/b/film.mp4'], 'a/b/'],
  [['hls/master.m3u8', 'hls/720/a.ts', 'hls/480/a.ts'], 'hls/'],
  [['film.mp4', 'posters/film.jpg'], ''],
  [['ab/x.mp4', 'a/x.mp4'], ''],
  [['s3://bucket/out/a.mp4', 's3://bucket/out/b.jpg'], 's3://bucket/out/'],
  [['a/b/c.ts', 'a/bc/d.ts'], 'a/'],
  [['s3://one/a.mp4', 's3://two/a.mp4'], 's3://'],
  [[], ''],
])('%j are in the folder %j', (paths, folder) => {
  expect(sharedFolder(paths)).toBe(folder);
});

test('a title is a name without its extension', () => {
  expect(['a/film.mp4', 'film', '.hidden', 'v1.2/film.tar.gz'].map(titleOf)).toEqual([
    'film',
    'film',
    '.hidden',
    'film.tar',
  ]);
});
