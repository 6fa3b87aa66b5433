import type { OutputFrameSize } from '@telecine/contract/domain/frame-size.ts';
import type { FrameSize, PlannedFrameSize } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { bestSize, nextSizes, sizeSamples, USUAL_ROUNDS, usualSize, withoutSamples } from '../choosers/frame-size.ts';
import { kilobits } from '../choosers/sizes.ts';
import { stopped } from './run-step.ts';
import { inspectFrame, readSource, SampleRuns } from './samples.ts';

type Chosen = { readonly ok: true; readonly chosen: OutputFrameSize } | Failed;

/** How often samples are tried at most: more than all sizes need. */
const MOST_ROUNDS = 5;

/** Chooses the frame size of an output for its bit rate: by samples, or the usual one. */
export async function chooseFrameSize(c: PreparedRun, planned: PlannedFrameSize, state: RunState): Promise<Chosen> {
  const inspected = await inspectFrame(c, planned, state);
  if (!inspected.ok) return inspected;
  const { bitsPerSecond } = planned;
  const found = await sizeBySamples(c, planned, inspected.size, state);
  const end = stopped(state);
  if (end !== undefined) return end;
  const chosen =
    typeof found === 'string'
      ? {
          ...usualSize(inspected.size, bitsPerSecond),
          reason: `${found}. So it has the usual size for ${kilobits(bitsPerSecond)} kb/s.`,
        }
      : found;
  return { ok: true, chosen: { ...chosen, bitsPerSecond } };
}

/** The size whose samples look best, or why there is none: the start of a sentence. A search must not fail a job that can do without it. */
async function sizeBySamples(
  c: PreparedRun,
  { samples: planned, bitsPerSecond }: PlannedFrameSize,
  size: FrameSize,
  state: RunState,
): Promise<Omit<OutputFrameSize, 'bitsPerSecond'> | string> {
  if ('none' in planned) return planned.none;
  const source = await readSource(c, planned, state);
  if ('ok' in source || !source.isKnown) return 'The length of the input is not known';
  const none = withoutSamples(size, bitsPerSecond, source.seconds);
  if (none !== undefined) return none;
  const search = { ...planned, bitsPerSecond };
  const samples = sizeSamples(source.parts, source.seconds);
  const progress = { choose: 'frameSize', expected: samples.length * USUAL_ROUNDS } as const;
  const runs = new SampleRuns(c, planned, { samples, size }, state, progress);
  let next = nextSizes(size, search, []);
  while (next !== undefined && runs.rounds < MOST_ROUNDS) {
    const failure = await runs.run(next);
    if (failure !== undefined) return 'ffmpeg could not encode or compare samples of the video';
    if (runs.samples.length === 0) return 'The filters drop all frames of the samples';
    next = nextSizes(size, search, runs.tries);
  }
  return bestSize(search, runs.tries);
}
