import type { ClipToProbe, ProbedClip } from '../../ffmpeg/probe/probe-clip.ts';
import type { StagedInput } from './input-staging.ts';

/** Probes a staged file that is joined with others. Throws the reason of an abort. */
export type ClipProber = (clip: ClipToProbe, input: StagedInput, signal: AbortSignal) => Promise<ProbedClip>;
