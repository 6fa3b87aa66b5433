import type { Parameters } from '../../support/mistakes.ts';

/** Options as people write them, the options that they mean, and the output if it is not an MP4. */
export type Mistake = [mistake: Parameters, meant: Parameters, output?: string];
