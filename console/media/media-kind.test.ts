import { expect, test } from 'vitest';
import { mediaKind } from './media-kind.ts';

const video = { type: 'video' };
const audio = { type: 'audio' };

test.each([
  ['film.mp4', undefined, 'film'],
  ['FILM.MOV', [video, audio], 'film'],
  ['hls/master.m3u8', undefined, 'hls'],
  ['dash/film.mpd', undefined, 'dash'],
  ['a.b/poster.JPG', undefined, 'picture'],
  ['voice.mp4', [audio], 'sound'],
  ['song.m4a', undefined, 'sound'],
  ['song.mkv', [audio, { ...video, disposition: ['attached_pic'] }], 'sound'],
  ['talk.srt', undefined, 'other'],
  ['folder.mp4/notes', undefined, 'other'],
])('%s is shown as what it holds', (path, streams, kind) => {
  expect(mediaKind(path, streams)).toBe(kind);
});
