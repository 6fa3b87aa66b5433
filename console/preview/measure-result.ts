import { type MeasuredResult, measuredPart, resultRequest } from './measured-part.ts';
import { referenceRequest } from './reference-request.ts';
import { meanSsim, newName, runJob } from './run-job.ts';

/**
 * Measures some seconds from the middle of a result against its source, which goes through the same filters: the mean SSIM, from 0 to 1. The
 * jobs for this are previews, which lists leave out. null: there is nothing to compare.
 */
export async function measureResult(result: MeasuredResult, signal: AbortSignal): Promise<number | null> {
  const part = measuredPart(result);
  const reference = referenceRequest(result.request, part, { ...result, fps: undefined }, newName());
  if (reference === undefined) return null;
  const jobs = [resultRequest(result.path, part, newName()), reference].map((request) => runJob(request, signal));
  const [encoded, source] = (await Promise.all(jobs)).map(({ outputs }) => outputs?.[0]?.path);
  if (encoded === undefined || source === undefined) return null;
  return meanSsim(encoded, source, part.seconds, signal);
}
