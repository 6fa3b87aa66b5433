import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import type { Plan, Warning } from '../../domain/plan.ts';
import type { PathStat } from './path-stats.ts';

/**
 * Runs the command of a request for a moment, and warns of the failure with which its job would end. Nothing is tried if that tells nothing
 * new, and nothing is said if the trial is not sure. Throws only the reason of `hangUp`.
 *
 * @param request With its recipe applied.
 * @param stats Those of the inputs of the plan, in their order.
 */
export type CommandTrial = (
  caller: Caller,
  request: ConversionRequest,
  plan: Plan,
  stats: readonly PathStat[],
  hangUp?: AbortSignal,
) => Promise<readonly Warning[]>;
