import type { ladderTarget, outputLadder } from '../wire/ladder.ts';
import type { Shape } from '../wire/shape.ts';

/** How many rungs a ladder can have. */
export const LADDER_RUNGS = { min: 2, max: 8 } as const;

/** The ladder that a request asks for. */
export type LadderTarget = Shape<typeof ladderTarget>;

/** The ladder that an output has, and what was tried to find it. */
export type OutputLadder = Shape<typeof outputLadder>;

/** The name of the audio in `var_stream_map`. */
export const LADDER_AUDIO = 'audio';
