import { parseRequestPath } from '../../domain/bucket-path.ts';
import type { Caller } from '../../domain/client.ts';
import { REQUEST_LIMITS, requestedOutputs } from '../../domain/conversion.ts';
import type { Job } from '../../domain/job.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import { invalidRequest } from '../../domain/problem.ts';
import { findParents, tooDeep } from '../dependencies/parents.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { FindExpected } from './check-request.ts';

/**
 * Reads the jobs of `after`, and returns what finds the paths that they create. Throws INVALID_REQUEST if one is unknown or
 * has failed, or if too many jobs wait for each other.
 */
export async function requireParents(
  jobs: Pick<JobStore, 'getMany'>,
  { clientId, root }: Pick<Caller, 'clientId' | 'root'>,
  after: readonly string[],
): Promise<FindExpected> {
  const wanted = after.map((jobId, index) => ({ jobId, field: `/after/${index}` }));
  const result = await findParents(jobs, clientId, wanted);
  if ('errors' in result) throw invalidRequest(result.errors);
  if (result.parents.levels(after) > REQUEST_LIMITS.waitingLevels) throw invalidRequest([tooDeep('/after')]);
  return () => new Set(result.parents.unfinished(after).flatMap((job) => outputPaths(job, root)));
}

/** The paths that a job will create, without those where its client may no longer write. */
export const outputPaths = ({ request }: Pick<Job, 'request'>, root: Caller['root']): readonly MediaPath[] =>
  requestedOutputs(request).flatMap(({ path }) => {
    const parsed = parseRequestPath(path, root, 'write');
    return typeof parsed === 'string' ? [parsed] : [];
  });
