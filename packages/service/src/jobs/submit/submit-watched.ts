import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { checkStored } from '@telecine/contract/domain/stored-files.ts';
import { dailyQuotaCheck } from '../daily-quotas.ts';
import type { Transactions, Tx } from '../ports/transactions.ts';
import { checkRequest } from './check-request.ts';
import { type InsertJobsDeps, insertJobs, type JobToInsert } from './insert-jobs.ts';
import { newJobId } from './new-job-id.ts';
import { jobOf, type SubmitDeps } from './submit.ts';

type InsertWatchedDeps = InsertJobsDeps & Pick<SubmitDeps, 'changes'> & { readonly transactions: Transactions };

/** What a watch writes about a file in the transaction that stores its job. Resolves to false if the job must not be stored. */
export type MarkFile = (tx: Tx, jobId: string, outputs: readonly MediaPath[]) => Promise<boolean>;

/**
 * Checks the request for a file of a watch, as a submission does, and stores its job together with what `mark` writes. Throws INVALID_REQUEST,
 * and QUOTA_EXCEEDED, and stores nothing then.
 */
export async function submitWatched(
  deps: InsertWatchedDeps & SubmitDeps,
  caller: Caller,
  watchId: string,
  request: ConversionRequest,
  mark: MarkFile,
  signal: AbortSignal,
): Promise<void> {
  await checkStored(deps.stored, caller);
  const checkQuota = await dailyQuotaCheck(deps, caller);
  checkQuota?.(0);
  const checked = await checkRequest(deps, caller, request);
  const job = { ...jobOf(caller, checked, { jobId: newJobId() }, deps.findWorkerNeeds?.(checked)), watchId };
  checkQuota?.(job.reservedMediaSeconds ?? 0);
  signal.throwIfAborted();
  const outputs = checked.plan.outputs.map(({ path }) => path);
  await insertWatched(deps, job, (tx) => mark(tx, job.jobId, outputs));
}

/** Stores a job in one transaction with what `mark` writes about its file. Resolves to false, and stores no job, if `mark` does. */
export async function insertWatched(
  deps: InsertWatchedDeps,
  job: JobToInsert,
  mark: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const isInserted = await deps.transactions.run(async (tx) => {
    if (!(await mark(tx))) return false;
    await insertJobs(deps, tx, [job]);
    return true;
  });
  if (isInserted) deps.changes.publish({ kind: 'created', jobId: job.jobId, clientId: job.clientId });
  return isInserted;
}
