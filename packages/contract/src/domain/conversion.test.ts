import { expect, test } from 'vitest';
import { type Parameters, playedPath } from './conversion.ts';

const MASTER = { master_pl_name: 'master.m3u8' };

test.each<[string, Parameters, string]>([
  ['film_%v.m3u8', MASTER, 'master.m3u8'],
  ['hls/film_%v.m3u8', MASTER, 'hls/master.m3u8'],
  // ffmpeg writes the master playlist above the folders of the versions.
  ['%v/index.m3u8', MASTER, 'master.m3u8'],
  ['film/v%v/index.m3u8', MASTER, 'film/master.m3u8'],
  // The output is a playlist that one can play.
  ['hls/film.m3u8', MASTER, 'hls/film.m3u8'],
  ['hls/film_%v.m3u8', {}, 'hls/film_%v.m3u8'],
  // The images of a sequence have no master playlist, also if another output of the request has one.
  ['frames/%03d.png', MASTER, 'frames/%03d.png'],
])('one plays %s with %j at %s', (path, parameters, played) => {
  expect(playedPath(path, parameters)).toBe(played);
});
