import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { checkStored } from '@telecine/contract/domain/stored-files.ts';
import { RequestProbes } from '../../recipes/request-probes.ts';
import { dailyQuotaCheck } from '../daily-quotas.ts';
import type { SubmittedPlan } from '../ports/ffmpeg.ts';
import type { Transactions, Tx } from '../ports/transactions.ts';
import { type CheckDeps, checkRequest } from './check-request.ts';
import { type InsertJobsDeps, insertJobs, type JobToInsert } from './insert-jobs.ts';
import { newJobId } from './new-job-id.ts';
import { jobOf, type SubmitDeps } from './submit.ts';

/** The checked request for a file of a watch. `insertWatched` stores it. */
export interface WatchedJob {
  readonly job: JobToInsert;
  /** The outputs that the request names. */
  readonly outputs: readonly MediaPath[];
}

type CheckWatchedDeps = Pick<SubmitDeps, 'stored' | 'usage' | 'now' | 'findSpeedNeed'> & CheckDeps<SubmittedPlan>;

/** Checks the request for a file of a watch, as a submission does. Throws INVALID_REQUEST, QUOTA_EXCEEDED and the errors of a probe. */
export async function checkWatched(
  deps: CheckWatchedDeps,
  caller: Caller,
  watchId: string,
  request: ConversionRequest,
  signal: AbortSignal,
): Promise<WatchedJob> {
  await checkStored(deps.stored, caller);
  const checkQuota = await dailyQuotaCheck(deps, caller);
  checkQuota?.(0);
  const checked = await checkRequest(deps, caller, request, {
    probes: request.preset && new RequestProbes(signal),
  });
  const speed = deps.findSpeedNeed?.(checked);
  const job: JobToInsert = { ...jobOf(caller, checked, { jobId: newJobId() }, speed), watchId };
  checkQuota?.(job.reservedMediaSeconds ?? 0);
  return { job, outputs: checked.plan.outputs.map(({ path }) => path) };
}

interface InsertWatchedDeps extends InsertJobsDeps, Pick<SubmitDeps, 'changes'> {
  readonly transactions: Transactions;
}

/**
 * Stores jobs in one transaction with what `mark` writes about their files. `mark` returns the ids of the jobs whose files it has marked: only
 * these are stored. Resolves to them. Throws QUOTA_EXCEEDED, and stores nothing, if a quota is exceeded.
 */
export async function insertWatched(
  deps: InsertWatchedDeps,
  jobs: readonly WatchedJob[],
  mark: (tx: Tx) => Promise<ReadonlySet<string>>,
): Promise<readonly JobToInsert[]> {
  const inserted = await deps.transactions.run(async (tx) => {
    const marked = await mark(tx);
    const chosen = jobs.flatMap(({ job }) => (marked.has(job.jobId) ? [job] : []));
    if (chosen.length > 0) await insertJobs(deps, tx, chosen);
    return chosen;
  });
  for (const { jobId, clientId } of inserted) deps.changes.publish({ kind: 'created', jobId, clientId });
  return inserted;
}
