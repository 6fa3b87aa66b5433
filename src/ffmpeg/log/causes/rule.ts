import type { Hint } from '../../../domain/hint.ts';
import type { FailureRule } from '../failure-rule.ts';

/** Creates a row of the tables of causes. `requires`: another line that the log must contain too. */
export const rule = (
  shape: RegExp,
  code: FailureRule['code'],
  message: string,
  fix: Hint,
  requires?: RegExp,
): FailureRule => ({
  shape,
  code,
  message,
  fix,
  ...(requires && { requires }),
});
