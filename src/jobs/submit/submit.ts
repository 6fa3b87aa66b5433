import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import { Problem } from '../../domain/problem.ts';
import type { JobChangeSink } from '../job-changes.ts';
import type { Accepted, IdempotencyKey } from '../operations.ts';
import type { IdempotencyRecord, IdempotencyStore, PathPlanner, PathStats } from '../ports.ts';
import { checkRequest } from './check-request.ts';
import type { InsertJob } from './insert-batcher.ts';
import { newJobId } from './new-job-id.ts';

export interface SubmitDeps {
  readonly insertJob: InsertJob;
  readonly idempotency: Pick<IdempotencyStore, 'find'>;
  readonly planner: PathPlanner;
  readonly media: PathStats;
  readonly now: () => Date;
  readonly changes: JobChangeSink;
}

/** How long an Idempotency-Key is remembered. */
export const IDEMPOTENCY_HOURS = 24;

/**
 * Checks a request and stores it as a queued job. `retryOf`: the id of the job that this one retries. Throws
 * INVALID_REQUEST, IDEMPOTENCY_CONFLICT.
 */
export async function submitJob(
  deps: SubmitDeps,
  caller: Caller,
  request: ConversionRequest,
  options: { readonly idempotency?: IdempotencyKey | undefined; readonly retryOf?: string } = {},
): Promise<Accepted> {
  const { clientId } = caller;
  const { idempotency, retryOf } = options;
  const notBefore = idempotency && new Date(deps.now().getTime() - IDEMPOTENCY_HOURS * 3_600_000).toISOString();
  if (idempotency && notBefore) {
    // Before the check: a repeated request gets the same answer even if its files have changed since.
    const earlier = await deps.idempotency.find(clientId, idempotency.key, notBefore);
    if (earlier !== undefined) return replay(earlier, idempotency);
  }
  await checkRequest(deps, caller, request);
  const jobId = newJobId();
  const earlier = await deps.insertJob({
    jobId,
    clientId,
    request: JSON.stringify(request),
    ...(retryOf && { retryOf }),
    ...(idempotency && notBefore && { idempotency: { ...idempotency, notBefore } }),
  });
  if (idempotency && earlier !== undefined) return replay(earlier, idempotency);
  deps.changes.publish({ kind: 'created', jobId, clientId });
  return { jobId, status: 'PENDING' };
}

function replay(earlier: IdempotencyRecord, idempotency: IdempotencyKey): Accepted {
  if (earlier.bodyHash === idempotency.bodyHash) return { jobId: earlier.jobId, status: 'PENDING' };
  throw new Problem(
    'IDEMPOTENCY_CONFLICT',
    `The Idempotency-Key was used for another request (job ${earlier.jobId}) within the last ${IDEMPOTENCY_HOURS} hours. Send a new key.`,
  );
}
