import { expect, test } from 'vitest';
import { lengthText, streamText } from './stream-text.ts';

const COMMON = { disposition: [], tags: {} };

test('a stream is told in one line', () => {
  expect(
    streamText({ ...COMMON, index: 0, type: 'video', codec: 'h264', width: 1920, height: 1080, frameRate: 29.97003 }),
  ).toBe('h264, 1920×1080, 29.97 fps');
  expect(
    streamText({
      ...COMMON,
      index: 1,
      type: 'audio',
      codec: 'aac',
      channels: 2,
      channelLayout: 'stereo',
      sampleRate: 44_100,
      language: 'eng',
    }),
  ).toBe('aac, stereo, 44.1 kHz, eng');
  expect(streamText({ ...COMMON, index: 2, type: 'data' })).toBe('data');
  expect(
    streamText({
      ...COMMON,
      index: 3,
      type: 'video',
      codec: 'mjpeg',
      width: 600,
      height: 600,
      isAttachedPicture: true,
    }),
  ).toBe('cover (mjpeg), 600×600');
});

test('the length of a file leaves out what is unknown', () => {
  const chapters = [{ startSeconds: 0, endSeconds: 10, tags: {} }];
  expect(lengthText({ format: { names: ['mov'], durationSeconds: 75, tags: {} }, streams: [], chapters })).toBe(
    '1:15, 1 chapter',
  );
  expect(lengthText({ format: { names: ['png_pipe'], tags: {} }, streams: [], chapters: [] })).toBe('');
});
