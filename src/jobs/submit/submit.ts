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

/** A key stands for its request for so long. */
export const IDEMPOTENCY_HOURS = 24;

/** Checks a request and puts it in line as a job. */
export async function submitJob(
  deps: SubmitDeps,
  caller: Caller,
  request: ConversionRequest,
  more: { readonly idempotency?: IdempotencyKey | undefined; readonly retryOf?: string } = {},
): Promise<Accepted> {
  const { clientId } = caller;
  const { idempotency, retryOf } = more;
  const notBefore = idempotency && new Date(deps.now().getTime() - IDEMPOTENCY_HOURS * 3_600_000).toISOString();
  if (idempotency && notBefore) {
    // Before the check: what was accepted once is answered the same, even if the files now look different.
    const earlier = await deps.idempotency.find(clientId, idempotency.key, notBefore);
    if (earlier !== undefined) return replay(earlier, idempotency);
  }
  const checked = checkRequest(deps, caller, request);
  if (checked instanceof Promise) await checked;
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
    `The Idempotency-Key was used within the last ${IDEMPOTENCY_HOURS} hours for another request, job ${earlier.jobId}. Send a new key with a new request.`,
  );
}
