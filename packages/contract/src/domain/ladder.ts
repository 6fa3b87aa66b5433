import type { ladderTarget, outputLadder } from '../wire/ladder.ts';
import type { Shape } from '../wire/shape.ts';
import type { PlannedSamples } from './sampling.ts';

/** How many rungs a ladder can have. */
export const LADDER_RUNGS = { min: 2, max: 8 } as const;

/** The ladder that a request asks for. */
export type LadderTarget = Shape<typeof ladderTarget>;

/** The ladder that an output has, and what was tried to find it. */
export type OutputLadder = Shape<typeof outputLadder>;

/** The name of the audio in `var_stream_map`. */
export const LADDER_AUDIO = 'audio';

/** The parts of the argv that writes the ladder. */
export interface LadderPass {
  /** Up to the options of the output. */
  readonly start: readonly string[];
  /** Once for each rung. */
  readonly rung: readonly string[];
  /** Only if the output has audio. */
  readonly audio: readonly string[];
  readonly end: readonly string[];
}

/** How a plan finds the rungs of a ladder. The argvs contain `QUALITY_PLACEHOLDERS`. */
export interface PlannedLadder extends Required<Pick<LadderTarget, 'target' | 'maxRungs'>> {
  /** In bits per second of video. */
  readonly maxBitrate?: number;
  readonly samples: PlannedSamples;
  /** The length of a segment, as the request asks for it. */
  readonly segmentSeconds: number;
  /** Present if the segments of a rung are parts of one file. */
  readonly isSingleFile?: true;
  readonly pass: LadderPass;
  /** Whether the output has audio. `found`: if the first input has some. */
  readonly audio: 'always' | 'found' | 'never';
}
