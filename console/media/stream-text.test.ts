import { expect, test } from 'vitest';
import { streamText } from './stream-text.ts';

test.each([
  [{ type: 'video', codec: 'h264', width: 1280, height: 720, fps: 23.976 }, 'h264 1280×720, 23.98 fps'],
  [
    { type: 'audio', codec: 'aac', sampleRate: 44_100, channels: 'stereo', language: 'eng' },
    'aac, stereo, 44.1 kHz, eng',
  ],
  [{ type: 'audio', codec: 'pcm_s16le', sampleRate: 48_000, channels: 6 }, 'pcm_s16le, 6 channels, 48 kHz'],
  [{ type: 'data' }, 'data'],
])('%j is written in few words', (stream, text) => {
  expect(streamText(stream)).toBe(text);
});
