import type { OutputFrameSize } from '@telecine/contract/domain/frame-size.ts';
import type { PlannedFrameSize } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { bestSize, nextSizes, sizeSamples, usualSize, withoutSamples } from '../choosers/frame-size.ts';
import { kilobits } from '../choosers/sizes.ts';
import { noteChosen } from './note-chosen.ts';
import { stopped } from './run-step.ts';
import { type Chooser, readSource, trySamples } from './try-samples.ts';

/** How often samples are usually tried, and at most. */
const ROUNDS = { usual: 3, most: 5 } as const;

/** Chooses the frame size of an output for its bit rate: by samples, or the usual one. */
export async function chooseFrameSize(
  c: PreparedRun,
  { samples: planned, none, bitsPerSecond }: PlannedFrameSize,
  state: RunState,
): Promise<{ readonly ok: true; readonly chosen: OutputFrameSize } | Failed> {
  const source = await readSource(c, planned, state);
  if ('ok' in source) return source;
  const { size, parts, seconds, isKnown } = source;
  const search = { ...planned, bitsPerSecond };
  const chooser: Chooser = {
    ...{ choose: 'frameSize', samples: sizeSamples(parts, seconds), usualRounds: ROUNDS.usual },
    next: (samples, tries, round) => {
      const candidates = round < ROUNDS.most ? nextSizes(size, search, tries) : undefined;
      return candidates && { samples, candidates };
    },
  };
  const unneeded =
    none ?? (isKnown ? withoutSamples(size, bitsPerSecond, seconds) : 'The length of the input is not known');
  const tries = unneeded ?? (await trySamples(c, planned, chooser, source, state));
  const end = stopped(state);
  if (end !== undefined) return end;
  // A search must not fail a job that can do without it.
  const why = typeof tries === 'string' ? tries : 'Samples of the video cannot be encoded or compared';
  const usual = {
    ...usualSize(size, bitsPerSecond),
    reason: `${why}. So it has the usual size for ${kilobits(bitsPerSecond)} kb/s.`,
  };
  const chosen = {
    ...(typeof tries === 'string' || 'ok' in tries ? usual : bestSize(search, tries)),
    bitsPerSecond,
  };
  noteChosen({ frameSize: chosen }, state);
  return { ok: true, chosen };
}
