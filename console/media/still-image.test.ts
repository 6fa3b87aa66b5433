import type { MediaInfo } from '@telecine/client';
import { expect, test } from 'vitest';
import { withoutAssumedTiming } from './still-image.ts';
import { streamText } from './stream-text.ts';

const info = (name: string): MediaInfo => ({
  format: { names: [name], durationSeconds: 0.04, tags: {} },
  streams: [
    { index: 0, type: 'video', codec: 'mjpeg', width: 1600, height: 1200, frameRate: 25, disposition: [], tags: {} },
  ],
  chapters: [],
});

test('a photo has no length and no frame rate', () => {
  const photo = withoutAssumedTiming(info('image2'));
  expect(photo.format.durationSeconds).toBeUndefined();
  expect(photo.streams.map(streamText)).toEqual(['mjpeg 1600×1200']);
  expect(withoutAssumedTiming(info('png_pipe'))).toEqual(
    withoutAssumedTiming({ ...photo, format: { names: ['png_pipe'], tags: {} } }),
  );
});

test('a video of one frame keeps its length', () => {
  expect(withoutAssumedTiming(info('mov'))).toEqual(info('mov'));
});
