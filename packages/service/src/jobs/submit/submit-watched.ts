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

type CheckWatchedDeps = Pick<SubmitDeps, 'stored' | 'usage' | 'now' | 'findSpeedNeed'> & CheckDeps<SubmittedPlan>;

/**
 * Checks the request for a file of a watch, as a submission does. Resolves to its job and to the outputs that the request names. Throws
 * INVALID_REQUEST, QUOTA_EXCEEDED and the errors of a probe.
 */
export async function checkWatched(
  deps: CheckWatchedDeps,
  caller: Caller,
  watchId: string,
  request: ConversionRequest,
  signal: AbortSignal,
): Promise<{ readonly job: JobToInsert; readonly outputs: readonly MediaPath[] }> {
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
 * Stores a job in one transaction with what `mark` writes about its file. Resolves to false, and stores no job, if `mark` does. Throws
 * QUOTA_EXCEEDED, and stores nothing, if a quota is exceeded.
 */
export async function insertWatched(
  deps: InsertWatchedDeps,
  job: JobToInsert,
  mark: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const isInserted = await deps.transactions.run(async (tx) => {
    const isMarked = await mark(tx);
    if (isMarked) await insertJobs(deps, tx, [job]);
    return isMarked;
  });
  const { jobId, clientId } = job;
  if (isInserted) deps.changes.publish({ kind: 'created', jobId, clientId });
  return isInserted;
}
