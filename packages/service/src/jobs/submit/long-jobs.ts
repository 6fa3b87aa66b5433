import { lazily } from '@telecine/contract/domain/remember.ts';
import { speedNeed } from '@telecine/contract/domain/speed-needs.ts';
import { LONG_SECONDS } from '@telecine/ffmpeg/estimate/machine-time.ts';
import type { SubmittedPlan } from '../ports/ffmpeg.ts';
import type { CheckedRequest } from './check-request.ts';

/** No job with smaller inputs is long. */
const MIN_BYTES = 10e6;

const roughWork = lazily(async () => {
  const { roughWork: compute } = await import('@telecine/ffmpeg/estimate/rough-work.ts');
  return async (...request: Parameters<typeof compute>) => compute(...request);
});

/**
 * Returns the need of a long job, so that slow workers leave it to faster ones for a while. undefined: the job is short, or
 * nothing is known.
 */
export type FindSpeedNeed = (checked: CheckedRequest<SubmittedPlan>) => Promise<string | undefined>;

export const findSpeedNeed: FindSpeedNeed = async ({ request, plan, inputs }) => {
  // A client that sends a priority does not want its job to be left.
  if (plan.requirements.lane !== 'full' || (request.priority ?? 0) > 0) return undefined;
  const bytes = Math.max(0, ...inputs.map((stat) => (stat.kind === 'file' ? (stat.sizeBytes ?? 0) : 0)));
  if (bytes < MIN_BYTES) return undefined;
  const found = await roughWork(request, bytes, plan.seconds);
  // The ratios of hardware encoders do not tell the devices of workers apart.
  if (found === undefined || found.work === 'hardware' || found.processorSeconds < LONG_SECONDS) return undefined;
  return speedNeed(found.work);
};
