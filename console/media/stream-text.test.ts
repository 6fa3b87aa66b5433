import { expect, test } from 'vitest';
import { streamsText, streamText, versionsText } from './stream-text.ts';

test.each([
  [{ type: 'video', codec: 'h264', width: 1280, height: 720, fps: 23.976 }, 'h264 1280×720, 23.98\u00a0fps'],
  [{ type: 'video', codec: 'hevc', width: 1920, height: 1080, rotationDegrees: -90 }, 'hevc 1080×1920'],
  [
    { type: 'video', codec: 'hevc', width: 3840, height: 2160, frameRate: 24, colorTransfer: 'smpte2084' },
    'hevc 3840×2160, 24\u00a0fps, HDR',
  ],
  [
    { type: 'video', codec: 'mjpeg', width: 600, height: 600, frameRate: 90_000, isAttachedPicture: true },
    'cover (mjpeg) 600×600',
  ],
  [{ type: 'video', codec: 'png', width: 600, height: 600, disposition: ['attached_pic'] }, 'cover (png) 600×600'],
  [
    { type: 'audio', codec: 'aac', sampleRate: 44_100, channels: 2, channelLayout: 'stereo', language: 'eng' },
    'aac, stereo, 44.1\u00a0kHz, eng',
  ],
  [{ type: 'audio', codec: 'pcm_s16le', sampleRate: 48_000, channels: 6 }, 'pcm_s16le, 6 channels, 48\u00a0kHz'],
  [{ type: 'subtitle', codec: 'subrip', language: 'ger', title: 'Forced' }, 'subrip, ger, Forced'],
  [{ type: 'data' }, 'data'],
])('%j is written in few words', (stream, text) => {
  expect(streamText(stream)).toBe(text);
});

test('streams that are described alike are named once, and what is left out is counted', () => {
  const renditions = [1080, 720, 360].flatMap((height) => [
    { type: 'video', codec: 'h264', width: height * 2, height },
    { type: 'audio', codec: 'aac', channelLayout: 'stereo' },
  ]);
  expect(streamsText(renditions, 4)).toEqual(['h264 2160×1080', 'aac, stereo', 'h264 1440×720', 'h264 720×360']);
  expect(streamsText(renditions, 2)).toEqual(['h264 2160×1080', 'aac, stereo', '2 more']);
});

const version = (height: number) => ({ type: 'video', codec: 'h264', width: height * 2, height });
const SOUND = { type: 'audio', codec: 'aac', channelLayout: 'stereo' };

test('the versions of a ladder are named by their heights, and those of the same height are counted', () => {
  expect(versionsText([version(480), SOUND, version(320), version(320)], 2)).toEqual(['480p, 2 × 320p', 'aac, stereo']);
  expect(versionsText([version(80), version(80), version(80)], 2)).toEqual(['3 × 80p']);
});

test('a film with a cover has one version', () => {
  const cover = { type: 'video', codec: 'png', width: 600, height: 600, disposition: ['attached_pic'] };
  expect(versionsText([version(720), SOUND, cover], 3)).toEqual([
    'h264 1440×720',
    'aac, stereo',
    'cover (png) 600×600',
  ]);
});
