import { ONE_SLOT } from '@telecine/contract/domain/lane.ts';
import { LONG_NEED, RECIPE_NEED } from '@telecine/contract/domain/speed-needs.ts';
import type { SubmittedPlan } from '../ports/ffmpeg.ts';
import type { CheckedRequest } from './check-request.ts';

/** The bytes of a usual video of which x264 needs about 20 minutes of processor time, and those of a second of it. */
const LONG_BYTES = 350e6;
const BYTES_PER_SECOND = 650e3;

/** The needs that jobs have on workers of several sizes and versions. */
export type FindWorkerNeeds = typeof findWorkerNeeds;

export const findWorkerNeeds = (checked: CheckedRequest<SubmittedPlan>): readonly string[] => [
  ...(isLong(checked) ? [LONG_NEED] : []),
  ...(checked.stored.recipe === undefined ? [] : [RECIPE_NEED]),
];

/**
 * Returns whether a job is long, so that small workers leave it to larger ones for a while. Nobody has read the inputs yet, so their sizes decide:
 * this estimate may be several times too low or too high, but it tells hours from minutes.
 */
function isLong({
  request: { priority = 0 },
  plan: { requirements, seconds = Number.POSITIVE_INFINITY, devices },
  inputs,
  areFactsAssumed,
}: CheckedRequest<SubmittedPlan>): boolean {
  // A client that sends a priority does not want its job to be left. Processors do not tell hardware devices apart.
  if (requirements.lane !== 'full' || priority > 0 || devices !== undefined) return false;
  const bytes = Math.max(0, ...inputs.map((stat) => (stat.kind === 'file' ? (stat.sizeBytes ?? 0) : 0)));
  const read = areFactsAssumed ? bytes : Math.min(bytes, seconds * BYTES_PER_SECOND);
  return (read * requirements.weight) / ONE_SLOT >= LONG_BYTES;
}
