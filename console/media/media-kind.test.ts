import { expect, test } from 'vitest';
import { mediaKind } from './media-kind.ts';

const video = { type: 'video' };
const audio = { type: 'audio' };

test.each([
  ['film.mp4', undefined, 'video'],
  ['FILM.MOV', [video, audio], 'video'],
  ['hls/master.m3u8', undefined, 'hls'],
  ['dash/film.mpd', undefined, 'dash'],
  ['a.b/poster.JPG', undefined, 'image'],
  ['voice.mp4', [audio], 'audio'],
  ['song.m4a', undefined, 'audio'],
  ['song.mkv', [audio, { ...video, disposition: ['attached_pic'] }], 'audio'],
  ['talk.srt', undefined, 'other'],
  ['folder.mp4/notes', undefined, 'other'],
])('%s is shown as what it holds', (path, streams, kind) => {
  expect(mediaKind(path, streams)).toBe(kind);
});
