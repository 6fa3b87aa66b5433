import type { PlannedQuality } from '@telecine/contract/domain/quality.ts';
import { expect, test } from 'vitest';
import { qualityWarnings } from './quality-warnings.ts';

const QUALITY: PlannedQuality = {
  ...{ metric: 'ssim', target: 0.98, encoder: 'libx264', scale: { option: 'crf', min: 1, max: 51, step: 0.1 } },
  ...{ range: { start: 0 }, sampleFile: 'pass/quality.mp4', encode: [], compare: [], result: [] },
};
const messagesOf = (
  reached: number | undefined,
  more: Partial<PlannedQuality> = {},
  cause?: Parameters<typeof qualityWarnings>[3],
  limit: Parameters<typeof qualityWarnings>[1] = { maxBitsPerSecond: undefined },
) => {
  const whole = { value: 24, reached, bytes: 1_000_000, videoBytes: 950_000, bitsPerSecond: 760_000 };
  return qualityWarnings({ ...QUALITY, ...more }, limit, whole, cause).map(
    ({ field, code, message }) => `${field} ${code}: ${message}`,
  );
};

test('an output within the tolerance of its target has no warning', () => expect(messagesOf(0.978)).toEqual([]));

test('a missed target is told with both numbers', () =>
  expect(messagesOf(0.9775)).toEqual([
    '/quality/target QUALITY_MISSED: The output has SSIM 0.9775, and the target is 0.98: its samples had a better quality than the full video.',
  ]));

test.each<[what: string, maxBitsPerSecond: number, text: string]>([
  ['bit rate', 776_000, '/quality/maxBitrate QUALITY_MISSED: … "maxBitrate" allows 800 kb/s of video.'],
  ['size', 700_000, '/quality/maxSize QUALITY_MISSED: … "maxSize" allows 700 kb/s of video.'],
])('a %s that limits the value is named', (_what, maxBitsPerSecond, text) => {
  const limits = { maxBitrate: 800_000, maxSize: 2_000_000 };
  const missed = 'The output has SSIM 0.97, and the target is 0.98:';
  expect(messagesOf(0.97, limits, undefined, { limit: 'bitrate', maxBitsPerSecond })).toEqual([
    text.replace('…', missed),
  ]);
});

test('exceeded limits are told, though the target is reached', () =>
  expect(messagesOf(0.98, { maxBitrate: 700_000, maxSize: 900_000 })).toEqual([
    '/quality/maxBitrate QUALITY_MISSED: The video has 760 kb/s on average, more than "maxBitrate" (700 kb/s): its samples had a lower bit rate than the full video.',
    '/quality/maxSize QUALITY_MISSED: The output has 1000000 bytes, more than "maxSize" (900000): its samples had a lower bit rate than the full video.',
  ]));

test('an output that was not measured says why', () => {
  const unknown = '/quality QUALITY_UNKNOWN: The output is complete, but';
  expect(messagesOf(undefined)).toEqual([`${unknown} ffmpeg could not compare it with its source.`]);
  expect(messagesOf(undefined, {}, { code: 'TIMEOUT', message: 'Too long.' })).toEqual([
    `${unknown} the time of the job was over before its quality was measured.`,
  ]);
  expect(messagesOf(undefined, {}, { code: 'NO_SPACE', message: 'The disk is full.' })).toEqual([
    `${unknown} a limit of the disk or of the client stopped the job before its quality was measured.`,
  ]);
});
