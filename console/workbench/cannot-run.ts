import type { DryRun } from '@telecine/client';

type Warning = DryRun['warnings'][number];

/** Whether a warning with the code INPUT_INVALID is about a file that cannot be read. Otherwise it can, and lacks what the conversion reads. */
export const isUnreadable = ({ field }: Pick<Warning, 'field'>): boolean => /^\/inputs?(?:\/|$)/.test(field ?? '');

/** Why a request cannot run. undefined: it can. `plan`: undefined if the request has an error. */
export function whyCannotRun(plan: Pick<DryRun, 'warnings'> | undefined): string | undefined {
  if (plan === undefined) return 'it has an error';
  return plan.warnings.map(reasonOf).find((reason) => reason !== undefined);
}

/** The reason, if a job certainly fails after a warning. */
function reasonOf(warning: Warning): string | undefined {
  if (warning.code === 'OUTPUT_EXISTS') return 'its output exists already';
  if (warning.code !== 'INPUT_INVALID') return undefined;
  return isUnreadable(warning) ? 'its source cannot be read' : 'its source does not fit this conversion';
}
