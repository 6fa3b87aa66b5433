import { allOutputs } from '../domain/all-outputs.ts';
import type { Caller } from '../domain/client.ts';
import type { RecountFiles } from '../domain/stored-files.ts';
import { authorizeFinishedJob } from './authorize-job.ts';
import type { JobStore } from './ports/job-store.ts';
import type { ClientContext } from './ports/planner.ts';
import type { Publishing } from './ports/publishing.ts';
import type { Transactions } from './ports/transactions.ts';

/** Deletes a finished job, and its outputs if `outputs` is true. Throws JOB_NOT_FOUND, JOB_NOT_FINISHED. */
export async function removeJob(
  deps: {
    readonly transactions: Transactions;
    readonly jobs: Pick<JobStore, 'get' | 'outputs' | 'remove'>;
    readonly media: Pick<Publishing, 'removeOutputs'>;
    readonly recount: RecountFiles;
    readonly clientContextOf: (clientId: string) => Promise<Pick<ClientContext, 'root'>>;
  },
  caller: Caller,
  jobId: string,
  outputs: boolean,
): Promise<void> {
  const job = await authorizeFinishedJob(deps.jobs, caller, jobId);
  // Delete the files first: if that fails, the job still exists and the client can repeat the call.
  if (outputs && job.outputs !== undefined) {
    const { root } = await deps.clientContextOf(job.clientId);
    for await (const files of allOutputs(deps.jobs.outputs, job)) {
      await deps.media.removeOutputs(root, files);
      await deps.recount(
        job.clientId,
        files.map(({ path }) => path),
      );
    }
  }
  await deps.transactions.run((tx) => deps.jobs.remove(tx, jobId));
}
