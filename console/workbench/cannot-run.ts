import type { DryRun } from '@telecine/client';

/** Warnings after which a job certainly fails, and why. */
const REASONS: { readonly [Code in DryRun['warnings'][number]['code']]?: string } = {
  OUTPUT_EXISTS: 'its output exists already',
  INPUT_INVALID: 'its source cannot be read',
};

/** Why a request cannot run. undefined: it can. `plan`: undefined if the request has an error. */
export function whyCannotRun(plan: Pick<DryRun, 'warnings'> | undefined): string | undefined {
  if (plan === undefined) return 'it has an error';
  return plan.warnings.map(({ code }) => REASONS[code]).find((reason) => reason !== undefined);
}
