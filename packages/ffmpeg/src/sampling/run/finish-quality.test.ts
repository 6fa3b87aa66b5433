import { expect, test } from 'vitest';
import { qualityWarnings } from './finish-quality.ts';

const QUALITY = {
  target: 0.98,
  samples: { metric: 'ssim', scale: { option: 'crf' } },
} as Parameters<typeof qualityWarnings>[0];

const CHOSEN = { value: 24, score: 0.9805, bitsPerSecond: 700_000 };

const messagesOf = (
  reached: number | undefined,
  more: Partial<typeof QUALITY> = {},
  cause?: Parameters<typeof qualityWarnings>[3],
  limit?: 'scale' | 'bitrate',
) =>
  qualityWarnings(
    { ...QUALITY, ...more },
    { ...CHOSEN, ...(limit && { limit }) },
    { reached, bytes: 1_000_000, bitsPerSecond: 760_000 },
    cause,
  ).map(({ field, code, message }) => `${field} ${code}: ${message}`);

test('an output within the tolerance of its target has no warning', () => expect(messagesOf(0.978)).toEqual([]));

test('a missed target is told with both numbers', () =>
  expect(messagesOf(0.9775)).toEqual([
    '/quality/target QUALITY_MISSED: The output has SSIM 0.9775, and the target is 0.98: its samples had 0.9805 with crf 24.',
  ]));

test.each([
  ['bitrate', { maxBitrate: 800_000 }, '/quality/maxBitrate'],
  ['bitrate', { maxSize: 2_000_000 }, '/quality/maxSize'],
  ['scale', {}, '/quality/target'],
] as const)('what limits the value is named: %s of %j', (limit, limits, field) =>
  expect(messagesOf(0.97, limits, undefined, limit)).toEqual([
    `${field} QUALITY_MISSED: The output has SSIM 0.97, and the target is 0.98: its samples had 0.9805 with crf 24.`,
  ]),
);

test('exceeded limits are told, though the target is reached', () =>
  expect(messagesOf(0.98, { maxBitrate: 700_000, maxSize: 900_000 })).toEqual([
    '/quality/maxBitrate QUALITY_MISSED: The output has 760000 bits of video per second, more than "maxBitrate" (700000): its samples had fewer.',
    '/quality/maxSize QUALITY_MISSED: The output has 1000000 bytes, more than "maxSize" (900000): its samples had fewer.',
  ]));

test('an output that was not measured says why', () => {
  const unknown = '/quality QUALITY_UNKNOWN: The output is complete, but was not measured:';
  expect(messagesOf(undefined)).toEqual([`${unknown} ffmpeg could not compare it with its source.`]);
  expect(messagesOf(undefined, {}, { code: 'TIMEOUT', message: 'The conversion took longer than the 10 s.' })).toEqual([
    `${unknown} The conversion took longer than the 10 s.`,
  ]);
});
