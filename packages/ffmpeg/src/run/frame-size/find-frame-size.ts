import type { OutputFrameSize } from '@telecine/contract/domain/frame-size.ts';
import type { ConversionRun, RunFailed } from '../conversion-run.ts';
import { prepareRun } from '../prepare-run.ts';
import { ProgressTracker } from '../progress.ts';
import { chooseFrameSize } from './choose-frame-size.ts';

interface FoundFrameSize {
  readonly ok: true;
  readonly chosen: OutputFrameSize;
  /** The log, with the reason for the size. */
  readonly log: string;
}

/** Chooses the frame size of a conversion without running its passes. undefined: the plan has no choice. */
export async function findFrameSize(run: ConversionRun): Promise<FoundFrameSize | RunFailed | undefined> {
  const { frameSize } = run.plan;
  if (frameSize === undefined) return undefined;
  return prepareRun<FoundFrameSize>(run, async (c, parts) => {
    const found = await chooseFrameSize(c, frameSize, { ...parts, tracker: new ProgressTracker(1) });
    return { ...found, log: parts.log.text() };
  });
}
