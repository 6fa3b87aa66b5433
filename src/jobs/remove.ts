import type { Caller } from '../domain/client.ts';
import { authorizeFinishedJob } from './authorize-job.ts';
import type { ClientContext, JobStore, Publishing, Transactions } from './ports.ts';

/** Deletes the record of a finished job, and its files too where `outputs` says so. Throws JOB_NOT_FINISHED. */
export async function removeJob(
  deps: {
    readonly transactions: Transactions;
    readonly jobs: Pick<JobStore, 'get' | 'remove'>;
    readonly media: Pick<Publishing, 'removeOutputs'>;
    readonly clientContextOf: (clientId: string) => Promise<Pick<ClientContext, 'root'>>;
  },
  caller: Caller,
  jobId: string,
  outputs: boolean,
): Promise<void> {
  const job = await authorizeFinishedJob(deps.jobs, caller, jobId);
  // Files first: while the record stands, a call that failed half way can be made again.
  const made = outputs ? (job.outputs ?? []) : [];
  if (made.length > 0) await deps.media.removeOutputs((await deps.clientContextOf(job.clientId)).root, made);
  await deps.transactions.run((tx) => deps.jobs.remove(tx, jobId));
}
