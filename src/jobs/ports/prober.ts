import type { ProbePlan } from '../../ffmpeg/probe/plan-probe.ts';
import type { ProbeOutcome } from '../../ffmpeg/probe/probe.ts';
import type { StagedInput } from './input-staging.ts';

/** A staged file to probe. */
export interface ProbeTask {
  readonly plan: ProbePlan;
  readonly input: StagedInput;
  readonly signal: AbortSignal;
}

/**
 * Runs ffprobe on a file. Resolves when its process has ended. Throws the reason of an abort, and NOT_IMPLEMENTED if
 * ffprobe is not installed.
 */
export type Prober = (task: ProbeTask) => Promise<ProbeOutcome>;
