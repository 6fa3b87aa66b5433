import { hasEdits } from '../../domain/edit.ts';
import type { Plan, Warning } from '../../domain/plan.ts';
import type { Estimated, UnreadableInput } from '../ports/ffmpeg.ts';

/** Warns of what the files of a plan show: inputs that cannot be read, and what a run would do that `known` does not say already. */
export function fileWarnings(
  plan: Pick<Plan, 'inputs'>,
  { unreadable, foreseen }: Pick<Estimated, 'unreadable' | 'foreseen'>,
  known: readonly Warning[],
): readonly Warning[] {
  const inputs = inputWarnings(plan, unreadable);
  const said = new Set([...known, ...inputs].map(({ code, field }) => `${code} ${field}`));
  const isNew = ({ code, field }: Warning): boolean => !said.has(`${code} ${field}`);
  // Several outputs of a run can fail for one reason.
  const once = new Map(foreseen.filter(isNew).map((one) => [JSON.stringify(one), one])).values();
  return [...inputs, ...once];
}

/** Warns about inputs that are there and cannot be read, with which the job would fail. */
const inputWarnings = ({ inputs }: Pick<Plan, 'inputs'>, unreadable: readonly UnreadableInput[]): readonly Warning[] =>
  unreadable.flatMap(({ index, cause: { message, fix } }) => {
    const input = inputs[index];
    if (input === undefined) return [];
    return {
      field: input.field,
      code: 'INPUT_INVALID',
      message: `${message} The job would fail.`,
      // A fix that names an operation is about the probe.
      fix: typeof fix === 'string' || hasEdits(fix) ? fix : 'Send another file.',
    };
  });
