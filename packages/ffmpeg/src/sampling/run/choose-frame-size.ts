import type { OutputFrameSize } from '@telecine/contract/domain/frame-size.ts';
import type { FrameSize, PlannedFrameSize } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { bestSize, nextSizes, sizeSamples, usualSize, withoutSamples } from '../choosers/frame-size.ts';
import { kilobits, sizeName } from '../choosers/sizes.ts';
import { stopped } from './run-step.ts';
import { SampleRuns } from './sample-runs.ts';
import { inspectFrame, readSource } from './source.ts';

/** How often samples are usually tried, and at most. */
const ROUNDS = { usual: 3, most: 5 } as const;

/** Chooses the frame size of an output for its bit rate: by samples, or the usual one. */
export async function chooseFrameSize(
  c: PreparedRun,
  planned: PlannedFrameSize,
  state: RunState,
): Promise<{ readonly ok: true; readonly chosen: OutputFrameSize } | Failed> {
  const inspected = await inspectFrame(c, planned.samples, state);
  if (!inspected.ok) return inspected;
  const { bitsPerSecond } = planned;
  const found = await sizeBySamples(c, planned, inspected.size, state);
  const end = stopped(state);
  if (end !== undefined) return end;
  const usual = {
    ...usualSize(inspected.size, bitsPerSecond),
    reason: `${found}. So it has the usual size for ${kilobits(bitsPerSecond)} kb/s.`,
  };
  const chosen = { ...(typeof found === 'string' ? usual : found), bitsPerSecond };
  state.log.note(`Frame size: ${sizeName(chosen)}. ${chosen.reason}`);
  return { ok: true, chosen };
}

/** The size whose samples look best, or why there is none: the start of a sentence. A search must not fail a job that can do without it. */
async function sizeBySamples(
  c: PreparedRun,
  { samples: planned, none, bitsPerSecond }: PlannedFrameSize,
  size: FrameSize,
  state: RunState,
): Promise<Omit<OutputFrameSize, 'bitsPerSecond'> | string> {
  if (none !== undefined) return none;
  const source = await readSource(c, planned, state);
  if ('ok' in source || !source.isKnown) return 'The length of the input is not known';
  const unneeded = withoutSamples(size, bitsPerSecond, source.seconds);
  if (unneeded !== undefined) return unneeded;
  const search = { ...planned, bitsPerSecond };
  const samples = sizeSamples(source.parts, source.seconds);
  const expected = samples.length * ROUNDS.usual;
  const runs = new SampleRuns(c, { choose: 'frameSize', planned, samples, expected, size }, state);
  let next = nextSizes(size, search, []);
  while (next !== undefined && runs.rounds < ROUNDS.most) {
    const failure = await runs.run(next);
    if (failure !== undefined) return 'Samples of the video cannot be encoded or compared';
    next = nextSizes(size, search, runs.tries);
  }
  return bestSize(search, runs.tries);
}
