import { suggest } from '@telecine/contract/domain/suggest.ts';
import { expect, test } from 'vitest';
import { findFormat, findFormatByExtension, isImageFile } from './format-names.ts';

const MUXERS = new Set(
  'adts aiff asf brandnew dash ffmetadata gif h264 hls image2 ipod m4v matroska mov mp4 mpeg mpegts ogg opus rawvideo segment srt tee wav webm webp webvtt'.split(
    ' ',
  ),
);

const muxerOrCode = (lookup: ReturnType<typeof findFormat>): string =>
  'format' in lookup ? lookup.format.muxer : lookup.error.code;

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
  // A newer build may have a muxer that was not reviewed.
  ['brandnew', 'FORMAT_NOT_ALLOWED'],
  ['flac', 'UNKNOWN_FORMAT'],
  ['constructor', 'UNKNOWN_FORMAT'],
])('the format %s results in %s', (text, expected) => {
  expect(muxerOrCode(findFormat(text, MUXERS))).toBe(expected);
});

test.each([
  ['m4v', 'mp4'],
  ['mkv', 'matroska'],
  ['png', 'image2'],
  ['webp', 'webp'],
  ['tee', 'UNKNOWN_FORMAT'],
  ['', 'UNKNOWN_FORMAT'],
])('the extension %j results in %s', (extension, expected) => {
  expect(muxerOrCode(findFormatByExtension(extension, MUXERS))).toBe(expected);
});

test('suggests the closest format for a misspelt one', () => {
  const lookup = findFormat('webn', MUXERS);
  expect('error' in lookup && suggest(lookup.error)).toMatchObject({ code: 'UNKNOWN_FORMAT', fix: 'Send "webm".' });
});

test('an animated format is not an image file', () => {
  expect([isImageFile('png'), isImageFile('gif'), isImageFile('mp4')]).toEqual([true, false, false]);
});

test.each(['x264', 'hls_playlist', 'loudness', 'ts.', 'wave'])('the unknown format "%s" has an error', (name) => {
  expect(findFormat(name, new Map([['mp4', '']]))).toHaveProperty('error');
});
