import type {
  FoundValue,
  JoinedQuality,
  MeasuredTarget,
  OutputQuality,
  TriedQuality,
} from '@telecine/contract/domain/quality.ts';
import { type FilmChunk, framesOf, meanOfChunks } from '../quality/film-correction.ts';
import { isReached, roundedScore } from '../quality/search-scales.ts';

/** An encoded chunk of a video with a quality target. */
export interface MeasuredChunk {
  /** Where the chunk begins in the output, and how long it is, in seconds. */
  readonly start: number;
  readonly seconds: number;
  readonly frames: number;
  /** Absent: its quality was not measured. */
  readonly quality?: TriedQuality;
  /** What it had with the value of the samples. Absent: it has this value. */
  readonly before?: TriedQuality;
  /** What it had after the first of two corrections. */
  readonly between?: TriedQuality;
}

/** Puts together what the chunks of a video have: the mean of all frames, and the worst chunk. */
export function filmQuality(
  { metric, target, scale }: Pick<MeasuredTarget, 'metric' | 'target' | 'scale'>,
  found: FoundValue,
  chunks: readonly MeasuredChunk[],
): JoinedQuality {
  const common = { metric, target, option: scale.option };
  const measured = measuredChunks(chunks);
  const [first, ...others] = measured ?? [];
  if (measured === undefined || first === undefined)
    return { ...{ metric, target, scale }, result: { ...common, value: found.value, tried: found.tried } };
  const again = measured.filter(({ before }) => before !== undefined);
  const firsts = triedTogether(
    found.value,
    measured.map(({ before, ...one }) => ({ ...one, tried: before ?? one.tried })),
  );
  const [corrected] = again;
  const some = again.length < measured.length ? { chunks: again.length } : {};
  const between = corrected?.between && {
    ...triedTogether(
      corrected.between.value,
      measured.map(({ between: tried, ...one }) => ({ ...one, tried: tried ?? one.tried })),
    ),
    ...some,
  };
  const second = corrected && { ...triedTogether(corrected.tried.value, measured), ...some };
  const { score: reached } = second ?? firsts;
  const worst = others.reduce((low, one) => (one.tried.score < low.tried.score ? one : low), first);
  const mostValue = framesOf(again) * 2 > framesOf(measured) ? second?.value : undefined;
  const result: OutputQuality = {
    ...{ ...common, value: mostValue ?? found.value },
    ...{ reached, isReached: isReached({ metric, target }, reached) },
    tried: [...found.tried, firsts, ...[between, second].flatMap((one) => one ?? [])].toSorted(
      (a, b) => a.value - b.value,
    ),
    chunks: {
      worst: { startSeconds: worst.start, score: worst.tried.score, value: worst.tried.value },
      encodedAgain: again.length,
    },
  };
  const isLimited = found.limit !== undefined || (second !== undefined && second.value <= scale.min);
  return { ...{ metric, target, scale }, result, ...(isLimited && { limit: 'scale' }) };
}

/** The chunks with what they have. undefined: not all were measured. */
export function measuredChunks(
  chunks: readonly MeasuredChunk[],
): readonly (FilmChunk & Pick<MeasuredChunk, 'start' | 'between'>)[] | undefined {
  const measured = chunks.flatMap(({ quality, ...one }) => (quality === undefined ? [] : [{ ...one, tried: quality }]));
  return measured.length < chunks.length ? undefined : measured;
}

function triedTogether(value: number, chunks: readonly FilmChunk[]): TriedQuality {
  const { score, bitsPerSecond } = meanOfChunks(chunks);
  return { value, score: roundedScore(score), bitsPerSecond, isWhole: true };
}
