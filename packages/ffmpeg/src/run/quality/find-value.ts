import type { ChunkTarget, FoundValue } from '@telecine/contract/domain/quality.ts';
import { correctedValue, type QualitySearch } from '../../quality/search.ts';
import type { ConversionRun, RunFailed } from '../conversion-run.ts';
import { prepareRun } from '../prepare-run.ts';
import { ProgressTracker } from '../progress.ts';
import { type FoundQuality, searchQuality } from './search-quality.ts';

interface ValueFound {
  readonly ok: true;
  readonly found: FoundValue;
  /** The log, with what was tried. */
  readonly log: string;
}

/** Finds the value for the quality target of a conversion without running its passes. undefined: the plan has no target. */
export async function findValue(run: ConversionRun): Promise<ValueFound | RunFailed | undefined> {
  const { quality } = run.plan;
  if (quality === undefined) return undefined;
  return prepareRun<ValueFound>(run, async (c, parts) => {
    const search = await searchQuality(c, quality, { ...parts, tracker: new ProgressTracker(1) });
    const log = parts.log.text();
    if (!search.ok) return { ...search, log };
    const { value, limit } = search.chosen;
    return { ok: true, found: { value, tried: search.tried, ...(limit === 'scale' && { limit }) }, log };
  });
}

/**
 * The search of a chunk, whose value was found for the whole video. What the samples of the video showed together tells how fast the quality changes
 * with the value.
 */
export function searchOfChunk({ encoder, metric, target, scale, found, seconds }: ChunkTarget): FoundQuality {
  const search: QualitySearch = { encoder, metric, target, scale };
  const tries = found.tried.map(({ value, score, bitsPerSecond }) => ({
    value,
    samples: [{ index: 0, score, bytes: (bitsPerSecond * seconds) / 8 }],
  }));
  const { value, limit } = found;
  return {
    ok: true,
    chosen: {
      kind: 'chosen',
      value,
      score: target,
      bitsPerSecond: 0,
      reached: limit === undefined,
      ...(limit && { limit }),
    },
    tried: [],
    source: { start: 0, seconds, isKnown: true, isChunk: true },
    corrected: (whole) => correctedValue(search, [{ start: 0, seconds, weight: 1 }], tries, whole),
    maxBitsPerSecond: undefined,
  };
}
