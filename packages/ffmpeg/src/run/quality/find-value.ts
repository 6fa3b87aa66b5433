import type { FoundValue } from '@telecine/contract/domain/quality.ts';
import type { ConversionRun, RunFailed } from '../conversion-run.ts';
import { prepareRun } from '../prepare-run.ts';
import { ProgressTracker } from '../progress.ts';
import { searchQuality } from './search-quality.ts';

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
