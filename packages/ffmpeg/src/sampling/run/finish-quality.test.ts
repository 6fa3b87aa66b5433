import { expect, test } from 'vitest';
import { qualityWarnings } from './finish-quality.ts';

type Planned = Parameters<typeof qualityWarnings>[0];

const messagesOf = (
  reached: number | undefined,
  more: Pick<Planned, 'maxBitrate' | 'maxSize'> = {},
  { cause, isLimited = false }: { cause?: Parameters<typeof qualityWarnings>[3]; isLimited?: boolean } = {},
) =>
  qualityWarnings(
    { samples: { scale: { min: 1 } }, ...more } as Planned,
    {
      metric: 'ssim',
      target: 0.98,
      option: 'crf',
      value: 24,
      ...(reached !== undefined && { reached, isReached: reached >= 0.978 }),
    },
    { bytes: 1_000_000, bitsPerSecond: 760_000, isLimited },
    cause,
  ).map(({ field, code, message }) => `${field} ${code}: ${message}`);

test('an output within the tolerance of its target has no warning', () => expect(messagesOf(0.978)).toEqual([]));

test.each([
  ['the target', {}, false, '/quality/target'],
  ['a limit that decided the value', { maxBitrate: 1_000_000 }, true, '/quality/maxBitrate'],
  ['a size that decided the value', { maxSize: 1_100_000, maxBitrate: 2_000_000 }, true, '/quality/maxSize'],
  ['no limit that the output only comes near to', { maxBitrate: 800_000 }, false, '/quality/target'],
])('a missed target is told with both numbers, and names %s', (_what, limits, isLimited, field) =>
  expect(messagesOf(0.97, limits, { isLimited })).toEqual([
    `${field} QUALITY_MISSED: The output has SSIM 0.97 with crf 24, and the target is 0.98.`,
  ]),
);

test('exceeded limits are told, though the target is reached', () =>
  expect(messagesOf(0.98, { maxBitrate: 700_000, maxSize: 900_000 })).toEqual([
    '/quality/maxBitrate QUALITY_MISSED: The output has 760000 bits of video per second, more than "maxBitrate" (700000): its samples had fewer.',
    '/quality/maxSize QUALITY_MISSED: The output has 1000000 bytes, more than "maxSize" (900000): its samples had fewer.',
  ]));

test('an output that was not measured says why', () => {
  const unknown = '/quality QUALITY_UNKNOWN: The output is complete, but was not measured:';
  const cause = { code: 'TIMEOUT', message: 'The conversion took longer than the 10 s.' } as const;
  expect(messagesOf(undefined)).toEqual([`${unknown} ffmpeg could not compare it with its source.`]);
  expect(messagesOf(undefined, {}, { cause })).toEqual([`${unknown} The conversion took longer than the 10 s.`]);
});
