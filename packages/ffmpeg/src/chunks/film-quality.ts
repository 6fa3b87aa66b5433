import type { FoundValue, JoinedQuality, MeasuredTarget, OutputQuality } from '@telecine/contract/domain/quality.ts';
import { isReached, roundedScore } from '../quality/search-scales.ts';

/** What the run of a chunk measured. `tried`: the encodes of the chunk, of which the one with `value` was kept. */
export type ChunkQuality = Pick<OutputQuality, 'value' | 'reached' | 'tried'>;

/** An encoded chunk of a video with a quality target. */
export interface MeasuredChunk {
  /** Where the chunk begins in the output, and how long it is, in seconds. */
  readonly start: number;
  readonly seconds: number;
  readonly frames: number;
  /** Absent: its quality was not measured. */
  readonly quality?: ChunkQuality;
}

/** Puts together what the chunks of a video have: the mean of all frames, and the worst chunk. */
export function filmQuality(
  { metric, target, scale }: Pick<MeasuredTarget, 'metric' | 'target' | 'scale'>,
  found: FoundValue,
  chunks: readonly MeasuredChunk[],
): JoinedQuality {
  const common = { metric, target, option: scale.option, value: found.value };
  const measured = chunks.flatMap(({ quality, ...chunk }) =>
    quality?.reached === undefined ? [] : [{ ...chunk, quality, score: quality.reached }],
  );
  const [first, ...others] = measured;
  if (first === undefined || measured.length < chunks.length)
    return { ...{ metric, target, scale }, result: { ...common, tried: found.tried } };
  const reached = roundedScore(
    meanOf(
      measured,
      ({ frames }) => frames,
      ({ score }) => score,
    ),
  );
  const worst = others.reduce((low, one) => (one.score < low.score ? one : low), first);
  const lowestValue = Math.min(...measured.map(({ quality }) => quality.value));
  const result: OutputQuality = {
    ...common,
    ...{ reached, isReached: isReached({ metric, target }, reached) },
    tried: [...found.tried, triedFirst(found, measured)].toSorted((a, b) => a.value - b.value),
    chunks: {
      worst: { startSeconds: worst.start, score: worst.score, value: worst.quality.value },
      encodedAgain: measured.filter(({ quality }) => quality.tried.length > 1).length,
      missed: measured.filter(({ score }) => !isReached({ metric, target }, score)).length,
      lowestValue,
    },
  };
  const isLimited = found.limit !== undefined || lowestValue <= scale.min;
  return { ...{ metric, target, scale }, result, ...(isLimited && { limit: 'scale' }) };
}

/** What all chunks had with the value of the samples, before some were encoded once more. */
function triedFirst(
  { value }: FoundValue,
  chunks: readonly (MeasuredChunk & { readonly quality: ChunkQuality })[],
): OutputQuality['tried'][number] {
  const firsts = chunks.flatMap(({ seconds, frames, quality }) => {
    const first = quality.tried.find((one) => one.value === value);
    return first === undefined ? [] : [{ ...first, seconds, frames }];
  });
  return {
    value,
    score: roundedScore(
      meanOf(
        firsts,
        ({ frames }) => frames,
        ({ score }) => score,
      ),
    ),
    bitsPerSecond: Math.round(
      meanOf(
        firsts,
        ({ seconds }) => seconds,
        ({ bitsPerSecond }) => bitsPerSecond,
      ),
    ),
    isWhole: true,
  };
}

function meanOf<T>(all: readonly T[], weightOf: (one: T) => number, read: (one: T) => number): number {
  const total = all.reduce((sum, one) => sum + weightOf(one), 0);
  return total === 0 ? 0 : all.reduce((sum, one) => sum + weightOf(one) * read(one), 0) / total;
}
