import { isFinished } from '@telecine/contract/domain/states.ts';
import type { Watch, WatchedFile } from '@telecine/contract/domain/watch.ts';
import type { JobEnd, JobStore } from '../jobs/ports/job-store.ts';
import type { Transactions } from '../jobs/ports/transactions.ts';
import { stateAfterJob } from './after-job.ts';
import type { WatchLedger } from './ports.ts';

/** A watch has at most `WATCH_LIMITS.maxUnfinished.max` unfinished jobs. */
const MOST = 1000;

export interface ReconcileDeps {
  readonly ledger: Pick<WatchLedger, 'list' | 'jobEnded'>;
  readonly transactions: Transactions;
  readonly jobs: Pick<JobStore, 'getMany'>;
  readonly now: () => Date;
}

/**
 * Writes how jobs have ended whose end the ledger does not know: during an upgrade, a worker of an earlier version ends jobs without it.
 * Resolves to the number of files.
 */
export async function reconcile(deps: ReconcileDeps, { watchId, clientId }: Watch): Promise<number> {
  const { ledger, transactions, jobs, now } = deps;
  const files = await ledger.list(watchId, { state: 'SUBMITTED', limit: MOST });
  const ids = files.flatMap(({ jobId }) => jobId ?? []);
  if (ids.length === 0) return 0;
  const found = new Map((await jobs.getMany(ids)).map((job) => [job.jobId, job]));
  let count = 0;
  for (const { jobId = '' } of files) {
    const job = found.get(jobId);
    if (job !== undefined && !isFinished(job.status)) continue;
    const at = now().toISOString();
    const end: JobEnd =
      job?.status === 'COMPLETED'
        ? { jobId, clientId, at, status: 'COMPLETED', outputs: job.outputs ?? [] }
        : { jobId, clientId, at, status: 'FAILED', error: job?.error ?? DELETED };
    const changed: WatchedFile | undefined = await transactions.run((tx) =>
      ledger.jobEnded(tx, end, (file) => stateAfterJob(file, end)),
    );
    if (changed !== undefined) count += 1;
  }
  return count;
}

const DELETED = { code: 'CANCELLED', message: 'The job was deleted before its end was known.' } as const;
