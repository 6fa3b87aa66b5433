import type { Caller } from '../../domain/client.ts';
import type { ConversionEstimate } from '../../domain/estimate.ts';
import type { Plan, Warning } from '../../domain/plan.ts';
import type { FieldError } from '../../domain/problem.ts';
import type { PathStat } from './path-stats.ts';

/** What an estimate reads of a plan. */
export type EstimatedPlan = Pick<
  Plan,
  'inputs' | 'outputs' | 'passes' | 'checks' | 'analysis' | 'join' | 'cut' | 'transcript'
>;

/** An input that a conversion could not read, because of what is in the file. */
export interface UnreadableInput {
  /** Its index in the plan. */
  readonly index: number;
  readonly cause: Pick<FieldError, 'message' | 'fix'>;
}

/** What an estimator finds out about a plan. */
export interface Estimated {
  readonly estimate: ConversionEstimate;
  readonly unreadable: readonly UnreadableInput[];
  /** What a run would certainly do with these inputs: fail, or leave one out. Also which of them were not read in time. */
  readonly foreseen: readonly Warning[];
  /** The kinds of streams that each output certainly encodes. */
  readonly encoded: ReadonlySet<Warning['failsWith'] & string>;
}

/**
 * Estimates what a plan produces and how long that takes. Probes its inputs for a few seconds at most; what it does not find
 * out is unknown in the answer, with the reason. Throws only the reason of `signal`.
 *
 * @param stats Those of the inputs, in their order.
 */
export type Estimator = (
  caller: Caller,
  plan: EstimatedPlan,
  stats: readonly PathStat[],
  signal?: AbortSignal,
) => Promise<Estimated>;
