import { METRIC_NAMES, type OutputQuality } from '@telecine/contract/domain/quality.ts';
import type { ChosenBySamples, SizedPoint } from '@telecine/contract/domain/sampling.ts';
import type { ConversionRun, PreparedRun, RunFailed } from '../../run/conversion-run.ts';
import { prepareRun } from '../../run/prepare-run.ts';
import { ProgressTracker } from '../../run/progress.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import type { Chooser } from '../choosers/curve.ts';
import { frameSizeChooser } from '../choosers/frame-size.ts';
import { ladderChooser } from '../choosers/ladder.ts';
import { qualityChooser } from '../choosers/quality.ts';
import type { SampledSource } from '../choosers/samples.ts';
import { kilobits, sizeName } from '../choosers/sizes.ts';
import { highestBits } from './highest-bits.ts';
import { stopped } from './run-step.ts';
import { readSource } from './source.ts';
import { trySamples } from './try-samples.ts';

/** Finds what a plan leaves to samples: a value for its quality target, the rungs of its ladder, or a frame size. */
export async function search(c: PreparedRun, state: RunState): Promise<ChosenBySamples | Failed> {
  const { quality, ladder, frameSize } = c.plan;
  const planned = (quality ?? ladder ?? frameSize)?.samples;
  if (planned === undefined) return {};
  const source = await readSource(c, planned, state);
  if ('ok' in source) return source;
  const chooser = await chooserOf(c, source, state);
  if (chooser === undefined || 'ok' in chooser) return chooser ?? {};
  const tries = await trySamples(c, planned, chooser, source, state);
  const end = stopped(state);
  if (end !== undefined) return end;
  const hasFailed = 'ok' in tries;
  if (hasFailed && chooser.withoutTries === undefined) return tries;
  const chosen = hasFailed ? { ...chooser.withoutTries } : chooser.choose(tries);
  noteChosen(chosen, state);
  return chosen;
}

async function chooserOf(
  c: PreparedRun,
  source: SampledSource,
  state: RunState,
): Promise<Chooser | Failed | undefined> {
  const { quality, ladder, frameSize } = c.plan;
  if (ladder !== undefined) {
    const chooser = ladderChooser(ladder, source);
    return 'code' in chooser ? { ok: false, failure: chooser, raw: '' } : chooser;
  }
  if (quality === undefined) return frameSize && frameSizeChooser(frameSize, source);
  const limit = await highestBits(c, quality, source, state);
  return typeof limit === 'object' ? limit : qualityChooser(quality, source, limit);
}

/** Adds what samples let choose to the log of the job. */
export function noteChosen({ frameSize, quality, ladder }: ChosenBySamples, { log }: Pick<RunState, 'log'>): void {
  if (frameSize !== undefined) log.note(`Frame size: ${sizeName(frameSize)}. ${frameSize.reason}`);
  const found = quality ?? ladder;
  if (found === undefined) return;
  const note = (what: string, { value, score, bitsPerSecond, ...size }: TriedPoint): void =>
    log.note(
      `${what}: ${'width' in size ? `${sizeName(size)} with ` : ''}${found.option} ${value} has ${METRIC_NAMES[found.metric]} ${score} at ${kilobits(bitsPerSecond)} kb/s`,
    );
  for (const point of found.tried) note(`${ladder === undefined ? 'Quality' : 'Ladder'}, samples`, point);
  const { rungs } = ladder ?? { rungs: [] };
  for (const [index, rung] of rungs.entries()) note(`Ladder, rung ${index + 1} of ${rungs.length}`, rung);
}

type TriedPoint = OutputQuality['tried'][number] | SizedPoint;

interface FoundBySamples {
  readonly ok: true;
  readonly chosen: ChosenBySamples;
  /** The log, with what was tried. */
  readonly log: string;
}

/** Finds what all chunks of a conversion have in common. Its passes do not run. */
export const findBySamples = (run: ConversionRun): Promise<FoundBySamples | RunFailed> =>
  prepareRun<FoundBySamples>(run, async (c, parts) => {
    const chosen = await search(c, { ...parts, tracker: new ProgressTracker(1) });
    const log = parts.log.text();
    return 'ok' in chosen ? { ...chosen, log } : { ok: true, chosen, log };
  });
