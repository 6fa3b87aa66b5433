import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import { invalidRequest } from '../../domain/problem.ts';
import { findParents, NO_PARENTS, type Parents } from '../dependencies/parents.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { ClientContext, PlanOfPaths, PlanResult } from '../ports/planner.ts';
import type { FindExpected } from './check-request.ts';

/** Reads the jobs of `after`. Throws INVALID_REQUEST; see `findParents`. */
export async function requireParents(
  jobs: Pick<JobStore, 'get'>,
  clientId: string,
  { after }: ConversionRequest,
): Promise<Parents> {
  if (after === undefined) return NO_PARENTS;
  const fields = after.map((_id, index) => `/after/${index}`);
  const result = await findParents(jobs, clientId, after, fields);
  if ('errors' in result) throw invalidRequest(result.errors);
  return result.parents;
}

/** The paths that these jobs, and those that they wait for, will create. */
export const expectedPaths =
  (
    deps: {
      readonly planner: (request: ConversionRequest, context: ClientContext) => Promise<PlanResult<PlanOfPaths>>;
    },
    caller: Caller,
    { unfinished, ancestors }: Parents,
  ): FindExpected =>
  async () => {
    const paths = new Set<MediaPath>();
    for (const { request } of [...unfinished, ...ancestors]) {
      const result = await deps.planner(request, caller);
      if (result.ok) paths.add(result.plan.output.path);
    }
    return paths;
  };
