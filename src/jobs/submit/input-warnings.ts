import type { Plan, Warning } from '../../domain/plan.ts';
import type { UnreadableInput } from '../ports/estimator.ts';

/** Warns about inputs that are there and cannot be read, with which the job would fail. */
export const inputWarnings = (
  { inputs }: Pick<Plan, 'inputs'>,
  unreadable: readonly UnreadableInput[],
): readonly Warning[] =>
  unreadable.flatMap(({ index, cause: { message, fix } }) => {
    const input = inputs[index];
    if (input === undefined) return [];
    return {
      field: input.field,
      code: 'INPUT_INVALID',
      message: `${message} The job would fail.`,
      // A fix that names an operation is about the probe.
      fix: typeof fix === 'string' ? fix : 'Send another file.',
    };
  });
