import { METRIC_NAMES } from '@telecine/contract/domain/quality.ts';
import type { ChosenBySamples } from '@telecine/contract/domain/sampling.ts';
import type { ConversionRun, RunFailed } from '../../run/conversion-run.ts';
import { prepareRun } from '../../run/prepare-run.ts';
import { ProgressTracker } from '../../run/progress.ts';
import type { RunState } from '../../run/run-state.ts';
import { kilobits, sizeName } from '../choosers/sizes.ts';
import { chooseFrameSize } from './choose-frame-size.ts';
import { searchLadder } from './search-ladder.ts';
import { searchQuality } from './search-quality.ts';

interface FoundBySamples {
  readonly ok: true;
  readonly chosen: ChosenBySamples;
  /** The log, with what was tried. */
  readonly log: string;
}

/** Finds what all chunks of a conversion have in common: a frame size, a value for its quality target, or the rungs of its ladder. Its passes do not run. */
export const findBySamples = (run: ConversionRun): Promise<FoundBySamples | RunFailed> =>
  prepareRun<FoundBySamples>(run, async (c, parts) => {
    const { frameSize, quality, ladder } = c.plan;
    const state = { ...parts, tracker: new ProgressTracker(1) };
    const sized = frameSize && (await chooseFrameSize(c, frameSize, state));
    const valued = quality && (await searchQuality(c, quality, state));
    const found = ladder && (await searchLadder(c, ladder, state));
    if (sized?.ok === true) noteChosen({ frameSize: sized.chosen }, state);
    const log = parts.log.text();
    if (sized?.ok === false) return { ...sized, log };
    if (valued?.ok === false) return { ...valued, log };
    if (found?.ok === false) return { ...found, log };
    const chosen = {
      ...(sized && { frameSize: sized.chosen }),
      ...(valued && { quality: valued.result }),
      ...(found && { ladder: { rungs: found.rungs, tried: found.tried } }),
    };
    return { ok: true, chosen, log };
  });

/** Adds what samples let choose to the log of the job. */
export function noteChosen({ frameSize, quality }: ChosenBySamples, { log }: Pick<RunState, 'log'>): void {
  if (frameSize !== undefined) log.note(`Frame size: ${sizeName(frameSize)}. ${frameSize.reason}`);
  if (quality === undefined) return;
  const { option, metric, tried } = quality;
  for (const { value, score, bitsPerSecond } of tried)
    log.note(
      `Quality, samples: ${option} ${value} has ${METRIC_NAMES[metric]} ${score} at ${kilobits(bitsPerSecond)} kb/s`,
    );
}
