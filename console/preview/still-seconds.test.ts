import type { MediaInfo } from '@telecine/client';
import { expect, test } from 'vitest';
import { hasFrames, stillSecondsOf } from './still-seconds.ts';

const film = (frameRate?: number, type = 'video'): Pick<MediaInfo, 'streams'> => ({
  streams: [{ index: 0, type, disposition: [], tags: {}, ...(frameRate !== undefined && { frameRate }) }] as never,
});

test('the first frame of a video is converted before the rest', () => {
  expect(stillSecondsOf({ output: 'a.mp4' }, film(25))).toBe(0.1);
  expect(stillSecondsOf({ outputs: [{ output: 'a.mkv' }] }, film(2))).toBe(1);
});

test('an image, an audio file and a source that is not read have no first frame', () => {
  for (const output of ['a.gif', 'a.jpg', 'a.mp3'])
    expect(stillSecondsOf({ output }, film(25)), output).toBeUndefined();
  expect(stillSecondsOf({ output: 'a.mp4' }, film(undefined, 'audio'))).toBeUndefined();
  expect(stillSecondsOf({ output: 'a.mp4' }, undefined)).toBeUndefined();
});

test('the frames of the source are shown before those of the result, unless the result is only sound', () => {
  for (const output of ['a.mp4', 'a.gif', 'a.jpg']) expect(hasFrames({ output }, film(25)), output).toBe(true);
  expect(hasFrames({ output: 'a.mp3' }, film(25))).toBe(false);
  expect(hasFrames({ output: 'a.mp4' }, film(undefined, 'audio'))).toBe(false);
  expect(hasFrames({ output: 'a.mp4' }, undefined)).toBe(false);
});
