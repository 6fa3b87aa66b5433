import type { JoinedQuality, OutputQuality } from '@telecine/contract/domain/quality.ts';
import { expect, test } from 'vitest';
import { joinedWarnings, noteJoinedQuality } from './joined-quality.ts';

const CHUNKS = { worst: { startSeconds: 10, score: 0.96, value: 21 }, encodedAgain: 2 };
const RESULT: OutputQuality = {
  ...{ metric: 'ssim', target: 0.98, option: 'crf', value: 26, reached: 0.97, isReached: false, chunks: CHUNKS },
  tried: [
    { value: 24, score: 0.984, bitsPerSecond: 1_800_000 },
    { value: 21, score: 0.97, bitsPerSecond: 1_200_000, isWhole: true, chunks: 2 },
    { value: 26, score: 0.965, bitsPerSecond: 1_000_000, isWhole: true },
  ],
};

const joined = (more: Partial<OutputQuality> = {}, limit?: 'scale'): JoinedQuality => ({
  ...{ metric: 'ssim', target: 0.98, scale: { option: 'crf', min: 1, max: 51, step: 0.1 } },
  result: { ...RESULT, ...more },
  ...(limit && { limit }),
});

test('a film in chunks that missed its target says by how much', () => {
  expect(joinedWarnings(joined())).toEqual([
    expect.objectContaining({
      ...{ field: '/quality/target', code: 'QUALITY_MISSED' },
      message: expect.stringMatching(/^The output has SSIM 0\.97, and the target is 0\.98:/),
      fix: expect.stringContaining('"crf" below 21'),
    }),
  ]);
  expect(joinedWarnings(joined({}, 'scale'))[0]?.message).toContain('the best value that was tried');
});

test('a film in chunks with the target has no warning, even if its worst chunk missed it', () =>
  expect(joinedWarnings(joined({ reached: 0.981, isReached: true }))).toEqual([]));

test('a film with a chunk that could not be measured says so', () => {
  const { reached: _, isReached: __, chunks: ___, ...unknown } = RESULT;
  expect(joinedWarnings({ ...joined(), result: unknown })).toEqual([
    expect.objectContaining({ code: 'QUALITY_UNKNOWN' }),
  ]);
});

test('the log says what was tried, and what the worst chunk has', () => {
  const notes: string[] = [];
  noteJoinedQuality(joined(), { log: { note: (line: string) => void notes.push(line) } as never });
  expect(notes).toEqual([
    'Quality, samples: crf 24 has SSIM 0.984 at 1800 kb/s',
    'Quality, all chunks, 2 of them again: crf 21 has SSIM 0.97 at 1200 kb/s',
    'Quality, all chunks: crf 26 has SSIM 0.965 at 1000 kb/s',
    'Quality: the output has SSIM 0.97, its worst chunk (from 10 s on) 0.96, the target is 0.98',
  ]);
});
