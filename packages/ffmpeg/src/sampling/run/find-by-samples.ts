import type { ChosenBySamples } from '@telecine/contract/domain/sampling.ts';
import type { ConversionRun, RunFailed } from '../../run/conversion-run.ts';
import { prepareRun } from '../../run/prepare-run.ts';
import { ProgressTracker } from '../../run/progress.ts';
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
