import type { Caller } from '../domain/client.ts';
import type { ConversionRequest } from '../domain/conversion.ts';
import { Problem } from '../domain/problem.ts';
import { check } from './check.ts';
import { newJobId } from './new-job-id.ts';
import type { Accepted, IdempotencyKey } from './operations.ts';
import type {
  IdempotencyRecord,
  IdempotencyStore,
  JobQueue,
  JobStore,
  MediaStore,
  Planner,
  Transactions,
} from './ports.ts';

export interface SubmitDeps {
  readonly transactions: Transactions;
  readonly jobs: Pick<JobStore, 'insert' | 'nextTurn'>;
  readonly queue: Pick<JobQueue, 'enqueue'>;
  readonly idempotency: Pick<IdempotencyStore, 'remember' | 'find'>;
  readonly planner: Planner;
  readonly media: Pick<MediaStore, 'look'>;
  readonly now: () => Date;
  /** Called when a job is in line, so that an idle worker of this process need not wait for its next look. */
  readonly onQueued: () => void;
}

/** A key stands for its request for so long. */
export const IDEMPOTENCY_HOURS = 24;

/** Checks a request and stores it as a job, with its ticket and its idempotency key, in one transaction. */
export async function submit(
  deps: SubmitDeps,
  caller: Caller,
  request: ConversionRequest,
  more: { readonly idempotency?: IdempotencyKey | undefined; readonly retryOf?: string } = {},
): Promise<Accepted> {
  const now = deps.now();
  const at = now.toISOString();
  const { clientId } = caller;
  const { idempotency } = more;
  const keyNotBefore = idempotency && new Date(now.getTime() - IDEMPOTENCY_HOURS * 3_600_000).toISOString();
  if (idempotency && keyNotBefore) {
    // Before the check: what was accepted once is answered the same, even if the files now look different.
    const earlier = await deps.idempotency.find(clientId, idempotency.key, keyNotBefore);
    if (earlier !== undefined) return replay(earlier, idempotency);
  }
  await check(deps, caller, request);
  const jobId = newJobId();
  const accepted = await deps.transactions.run(async (tx) => {
    if (idempotency && keyNotBefore) {
      const earlier = await deps.idempotency.remember(tx, { clientId, ...idempotency, jobId, at }, keyNotBefore);
      if (earlier !== undefined) return replay(earlier, idempotency);
    }
    const turn = await deps.jobs.nextTurn(tx, clientId);
    const { retryOf } = more;
    await deps.jobs.insert(tx, [{ jobId, clientId, request, turn, createdAt: at, ...(retryOf && { retryOf }) }]);
    await deps.queue.enqueue(tx, [{ jobId, clientId, rank: -turn }]);
    return { jobId, status: 'PENDING' } as const;
  });
  deps.onQueued();
  return accepted;
}

function replay(earlier: IdempotencyRecord, idempotency: IdempotencyKey): Accepted {
  if (earlier.bodyHash === idempotency.bodyHash) return { jobId: earlier.jobId, status: 'PENDING' };
  throw new Problem(
    'IDEMPOTENCY_CONFLICT',
    `The Idempotency-Key was used within the last ${IDEMPOTENCY_HOURS} hours for another request, job ${earlier.jobId}. Send a new key with a new request.`,
  );
}
