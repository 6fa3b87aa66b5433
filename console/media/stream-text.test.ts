import { expect, test } from 'vitest';
import { streamText } from './stream-text.ts';

test.each([
  [{ type: 'video', codec: 'h264', width: 1280, height: 720, fps: 23.976 }, 'h264 1280×720, 23.98 fps'],
  [
    { type: 'video', codec: 'hevc', width: 3840, height: 2160, frameRate: 24, colorTransfer: 'smpte2084' },
    'hevc 3840×2160, 24 fps, HDR',
  ],
  [
    { type: 'video', codec: 'mjpeg', width: 600, height: 600, frameRate: 90_000, isAttachedPicture: true },
    'cover (mjpeg) 600×600',
  ],
  [
    { type: 'audio', codec: 'aac', sampleRate: 44_100, channels: 2, channelLayout: 'stereo', language: 'eng' },
    'aac, stereo, 44.1 kHz, eng',
  ],
  [{ type: 'audio', codec: 'pcm_s16le', sampleRate: 48_000, channels: 6 }, 'pcm_s16le, 6 channels, 48 kHz'],
  [{ type: 'subtitle', codec: 'subrip', language: 'ger', title: 'Forced' }, 'subrip, ger, Forced'],
  [{ type: 'data' }, 'data'],
])('%j is written in few words', (stream, text) => {
  expect(streamText(stream)).toBe(text);
});
