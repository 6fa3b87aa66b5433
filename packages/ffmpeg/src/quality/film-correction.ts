import type { FoundValue, MeasuredTarget, TriedQuality } from '@telecine/contract/domain/quality.ts';
import { correctedValue, lossGrowth, type QualitySearch, type Try } from './search.ts';
import { isReached, isWorthAnother, LOSS_SCALES, TOLERANCES, usualEffect } from './search-scales.ts';

/** A chunk that was encoded with the value of the film, and measured. */
export interface FilmChunk {
  readonly seconds: number;
  readonly frames: number;
  readonly tried: TriedQuality;
}

/** The chunks to encode once more, by their indices, with another value. */
export interface FilmCorrection {
  readonly value: number;
  readonly chunks: readonly number[];
}

/**
 * How many steps of x264's crf some chunks may be better than all chunks would have to be. With more, fewer chunks would be encoded again, but they
 * would need more bytes than all others save.
 */
const FURTHER = 1;

/** A film that is too good keeps this share of the tolerance, because chunks may get worse than forecast. */
const CAUTION = 0.5;

/**
 * Chooses the chunks to encode once more, so that the mean of all frames is near the target: as few as suffice. undefined: none, because the film is
 * near the target already, or because no other value would be better. The rule is that of a whole video.
 */
export function filmCorrection(
  quality: Pick<MeasuredTarget, 'metric' | 'target' | 'encoder' | 'scale'>,
  { value: before, tried }: Pick<FoundValue, 'value' | 'tried'>,
  chunks: readonly FilmChunk[],
): FilmCorrection | undefined {
  const { metric, target, encoder, scale } = quality;
  const { score, bitsPerSecond, seconds } = meanOfChunks(chunks);
  const whole = { value: before, score, bitsPerSecond };
  const search: QualitySearch = { encoder, metric, target, scale };
  const samples = [{ start: 0, seconds, weight: 1 }];
  const tries = (tried.length > 0 ? tried : [whole]).map(
    (one): Try => ({
      value: one.value,
      samples: [{ index: 0, score: one.score, bytes: (one.bitsPerSecond * seconds) / 8 }],
    }),
  );
  const corrected = correctedValue(search, samples, tries, whole);
  if (!isWorthAnother(quality, score, corrected.value - before)) return undefined;

  const { lossOf, scoreOf } = LOSS_SCALES[metric];
  const scoreWith = (chunk: FilmChunk, value: number): number =>
    scoreOf(lossOf(chunk.tried.score) + lossGrowth(search, samples, tries, before, value));
  const filmWith = (again: ReadonlySet<number>, value: number): number =>
    meanScore(chunks.map((one, at) => ({ ...one, score: again.has(at) ? scoreWith(one, value) : one.tried.score })));

  const isBelow = !isReached(quality, score);
  const direction = isBelow ? 1 : -1;
  const aim = isBelow ? target : target + CAUTION * TOLERANCES[metric];
  const isNear = (film: number): boolean => (film - aim) * direction >= 0;
  const furthest = isBelow
    ? Math.max(scale.min, corrected.value - FURTHER / usualEffect(encoder).pace)
    : corrected.value;
  const effectOf = (at: number): number => {
    const chunk = chunks[at];
    return chunk === undefined ? 0 : chunk.frames * (scoreWith(chunk, corrected.value) - chunk.tried.score) * direction;
  };
  const causesMiss = (at: number): boolean => ((chunks[at]?.tried.score ?? target) - target) * direction < 0;
  const candidates = [...chunks.keys()].toSorted(
    (a, b) => Number(causesMiss(b)) - Number(causesMiss(a)) || effectOf(b) - effectOf(a),
  );
  for (const count of candidates.keys()) {
    const again = new Set(candidates.slice(0, count + 1));
    if (!isNear(filmWith(again, furthest))) continue;
    const value = valuesUpTo(before, furthest, scale.step).find((one) => isNear(filmWith(again, one)));
    if (value !== undefined) return { value, chunks: [...again].toSorted((a, b) => a - b) };
  }
  return { value: corrected.value, chunks: [...chunks.keys()] };
}

/** The values after `from`, up to `to`. */
const valuesUpTo = (from: number, to: number, step: number): readonly number[] =>
  Array.from({ length: Math.floor(Math.abs(to - from) / step + 1e-6) }, (_, at) =>
    Number((from + Math.sign(to - from) * (at + 1) * step).toFixed(3)),
  );

/** What chunks have together. */
export function meanOfChunks(
  chunks: readonly FilmChunk[],
): Pick<TriedQuality, 'score' | 'bitsPerSecond'> & { readonly seconds: number } {
  const seconds = chunks.reduce((sum, one) => sum + one.seconds, 0);
  const bits = chunks.reduce((sum, one) => sum + one.seconds * one.tried.bitsPerSecond, 0);
  return {
    score: meanScore(chunks.map((one) => ({ ...one, score: one.tried.score }))),
    bitsPerSecond: Math.round(bits / Math.max(1e-3, seconds)),
    seconds,
  };
}

/** The mean over all frames, as that of a whole video. */
function meanScore(chunks: readonly { readonly frames: number; readonly score: number }[]): number {
  const frames = chunks.reduce((sum, one) => sum + one.frames, 0);
  return chunks.reduce((sum, one) => sum + one.frames * one.score, 0) / Math.max(1, frames);
}
