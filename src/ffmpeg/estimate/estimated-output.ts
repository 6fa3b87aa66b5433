import type { CommandOptions } from './command.ts';
import type { EstimatedInput } from './input-streams.ts';
import type { KnownOutput } from './output-streams.ts';

/** How fast the machine is. */
export interface Machine {
  readonly cores: number;
  /** How many times as long as the model says recent jobs took. Empty if there are none. */
  readonly ratios: readonly number[];
}

/** An output whose streams are known, with the command that writes it. */
export interface EstimatedOutput extends KnownOutput {
  readonly inputs: readonly EstimatedInput[];
  readonly options: CommandOptions;
  readonly muxer: string;
  /** What is decoded and discarded before the output begins. */
  readonly startSeconds: number;
}
