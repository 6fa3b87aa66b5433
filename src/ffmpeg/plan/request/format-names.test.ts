import { expect, test } from 'vitest';
import { findFormat, findFormatByExtension, isImageFile } from './format-names.ts';

const MUXERS = new Set(
  'adts aiff asf brandnew dash ffmetadata gif h264 hls image2 ipod m4v matroska mov mp4 mpeg mpegts ogg opus rawvideo segment srt tee wav webm webp webvtt'.split(
    ' ',
  ),
);

const muxer = (found: ReturnType<typeof findFormat>): string | undefined =>
  'format' in found ? found.format.muxer : found.error.code;

test.each([
  ['mp4', 'mp4'],
  ['MKV', 'matroska'],
  ['matroska', 'matroska'],
  ['.ts', 'mpegts'],
  ['m4a', 'ipod'],
  ['aac', 'adts'],
  ['wmv', 'asf'],
  ['jpeg', 'image2'],
  ['m3u8', 'hls'],
  ['vtt', 'webvtt'],
  ['m4v', 'm4v'],
  ['ffmetadata', 'ffmetadata'],
  ['tee', 'FORMAT_NOT_ALLOWED'],
  // A newer build may have it, and nobody has looked at it.
  ['brandnew', 'FORMAT_NOT_ALLOWED'],
  ['flac', 'UNKNOWN_FORMAT'],
  ['constructor', 'UNKNOWN_FORMAT'],
])('the format %s is written by %s', (text, expected) => {
  expect(muxer(findFormat(text, MUXERS))).toBe(expected);
});

test.each([
  ['m4v', 'ipod'],
  ['mkv', 'matroska'],
  ['png', 'image2'],
  ['webp', 'webp'],
  ['tee', 'UNKNOWN_FORMAT'],
  ['', 'UNKNOWN_FORMAT'],
])('the extension %j means %s', (extension, expected) => {
  expect(muxer(findFormatByExtension(extension, MUXERS))).toBe(expected);
});

test('a slip of spelling is answered with the near format', () => {
  expect(findFormat('webn', MUXERS)).toMatchObject({ error: { fix: 'Send "webm".' } });
});

test('moving pictures are no stills', () => {
  expect([isImageFile('png'), isImageFile('gif'), isImageFile('mp4')]).toEqual([true, false, false]);
});
