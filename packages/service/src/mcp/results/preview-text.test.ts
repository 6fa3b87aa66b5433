import type { PreviewImage } from '@telecine/contract/domain/preview.ts';
import { expect, test } from 'vitest';
import { describePreview } from './preview-text.ts';

const imageAt = (...times: readonly number[]): PreviewImage => ({
  ...{ format: 'jpeg', width: 640, height: 360, times, durationSeconds: 30, bytes: new Uint8Array(1000) },
});

test('says that nothing could be decoded at a time, if the picture is a later one', () => {
  expect(describePreview('frame', { view: 'frame', at: 16 }, imageAt(23.042))).toBe(
    'The frame at 16 s cannot be decoded. This is the next one that can, at 23.042 s of 30 s. 640x360 JPEG, 1 KB.',
  );
  expect(describePreview('frame', { view: 'frame', at: 16 }, imageAt(16.04))).toMatch(/^Frame at 16.04 s of 30 s/);
});

test('says that grey around a compared picture is not in its file', () => {
  expect(describePreview('compare', { view: 'frame', at: 1 }, imageAt(1, 1))).toMatch(
    /at \(s\): 1 \| 1 of 30 s\. .*grey/,
  );
});
