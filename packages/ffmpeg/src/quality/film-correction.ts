import type { FoundValue, MeasuredTarget, TriedQuality } from '@telecine/contract/domain/quality.ts';
import { correctedValue, lossGrowth, type QualitySearch, type Try } from './search.ts';
import { isReached, isWorthAnother, LOSS_SCALES, TOLERANCES, usualEffect } from './search-scales.ts';

/** A chunk that was encoded and measured. */
export interface FilmChunk {
  readonly seconds: number;
  readonly frames: number;
  readonly tried: TriedQuality;
  /** What it had with the value of the film. Absent: it has this value. */
  readonly before?: TriedQuality;
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
  const tries = (tried.length > 0 ? tried : [whole]).map((one) => tryOf(one, seconds));
  const corrected = correctedValue(search, samples, tries, whole);
  if (!isWorthAnother(quality, score, corrected.value - before)) return undefined;

  const { lossOf, scoreOf } = LOSS_SCALES[metric];
  const growth = lossGrowth(search, samples, tries, before);
  /** The score of each chunk with a value. */
  const scoresWith = (value: number): readonly number[] => {
    const more = growth(value);
    return chunks.map((one) => scoreOf(lossOf(one.tried.score) + more));
  };

  const isBelow = !isReached(quality, score);
  const direction = isBelow ? 1 : -1;
  const aim = isBelow ? target : target + CAUTION * TOLERANCES[metric];
  const furthest = isBelow
    ? Math.max(scale.min, corrected.value - FURTHER / usualEffect(encoder).pace)
    : corrected.value;
  const frames = Math.max(1, framesOf(chunks));
  /** How much the score of the film changes if one chunk gets a value. */
  const effectsWith = (value: number): readonly number[] => {
    const scores = scoresWith(value);
    return chunks.map((one, at) => (one.frames * ((scores[at] ?? 0) - one.tried.score)) / frames);
  };
  const effects = effectsWith(corrected.value);
  const causesMiss = (at: number): boolean => ((chunks[at]?.tried.score ?? target) - target) * direction < 0;
  const candidates = [...chunks.keys()].toSorted(
    (a, b) => Number(causesMiss(b)) - Number(causesMiss(a)) || ((effects[b] ?? 0) - (effects[a] ?? 0)) * direction,
  );
  const isNear = (film: number): boolean => (film - aim) * direction >= 0;
  const furthestEffects = effectsWith(furthest);
  let film = score;
  for (const [count, last] of candidates.entries()) {
    film += furthestEffects[last] ?? 0;
    if (!isNear(film)) continue;
    const again = candidates.slice(0, count + 1);
    const value = valuesUpTo(before, furthest, scale.step).find((one) => {
      const changes = effectsWith(one);
      return isNear(again.reduce((sum, at) => sum + (changes[at] ?? 0), score));
    });
    if (value !== undefined) return { value, chunks: again.toSorted((a, b) => a - b) };
  }
  return { value: corrected.value, chunks: [...chunks.keys()] };
}

/**
 * The value with which corrected chunks are encoded a last time, because the film misses its target after their correction: chunks can differ from
 * the samples of the film in how fast they get better or worse. Their two encodes show how fast. The step is at most as far as the first one, so a
 * film that was too good before gets a value between its two. undefined: the film has its target, or no chunk was corrected.
 */
export function lastCorrection(
  quality: Pick<MeasuredTarget, 'metric' | 'target' | 'encoder' | 'scale'>,
  chunks: readonly FilmChunk[],
): number | undefined {
  const { metric, target, encoder, scale } = quality;
  if (isReached(quality, meanOfChunks(chunks).score)) return undefined;
  const [first] = chunks.flatMap(({ before, tried }) => (before === undefined ? [] : [{ before, value: tried.value }]));
  if (first === undefined) return undefined;
  const { lossOf, scoreOf } = LOSS_SCALES[metric];
  const scoreOfEach = chunks.map(({ seconds, tried, before }): ((value: number) => number) => {
    if (before === undefined) return () => tried.score;
    const tries = [tryOf(before, seconds), tryOf(tried, seconds)];
    const growth = lossGrowth(
      { encoder, metric, target, scale },
      [{ start: 0, seconds, weight: 1 }],
      tries,
      tried.value,
    );
    return (value) => scoreOf(lossOf(tried.score) + growth(value));
  });
  const furthest = Math.max(scale.min, first.value - Math.abs(first.before.value - first.value));
  const values = valuesUpTo(first.value, furthest, scale.step);
  const filmWith = (value: number): number =>
    meanScore(chunks.map(({ frames }, at) => ({ frames, score: scoreOfEach[at]?.(value) ?? 0 })));
  return values.find((value) => filmWith(value) >= target) ?? values.at(-1);
}

const tryOf = ({ value, score, bitsPerSecond }: TriedQuality, seconds: number): Try => ({
  value,
  samples: [{ index: 0, score, bytes: (bitsPerSecond * seconds) / 8 }],
});

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
const meanScore = (chunks: readonly { readonly frames: number; readonly score: number }[]): number =>
  chunks.reduce((sum, one) => sum + one.frames * one.score, 0) / Math.max(1, framesOf(chunks));

export const framesOf = (chunks: readonly { readonly frames: number }[]): number =>
  chunks.reduce((sum, { frames }) => sum + frames, 0);
