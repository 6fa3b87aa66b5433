import { allOutputs } from '../domain/all-outputs.ts';
import type { Caller } from '../domain/client.ts';
import type { Job, JobOutput } from '../domain/job.ts';
import { inSteps } from '../domain/steps.ts';
import type { RecountFiles } from '../domain/stored-files.ts';
import { authorizeFinishedJob } from './authorize-job.ts';
import type { ClientContext } from './ports/ffmpeg.ts';
import type { JobStore } from './ports/job-store.ts';
import type { Publishing } from './ports/media-store.ts';
import type { Transactions } from './ports/transactions.ts';

type OutputFile = Pick<JobOutput, 'path' | 'fingerprint'>;

/** The files that are deleted until they no longer count. */
const FILES_AT_ONCE = 1000;

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
    for await (const files of inSteps(await outputFiles(deps.jobs, job), FILES_AT_ONCE)) {
      await deps.media.removeOutputs(root, files);
      await deps.recount(
        job.clientId,
        files.map(({ path }) => path),
      );
    }
  }
  await deps.transactions.run((tx) => deps.jobs.remove(tx, jobId));
}

/** The files of all outputs. They are read before the first is deleted: another call may delete the job meanwhile. */
async function outputFiles(jobs: Pick<JobStore, 'outputs'>, job: Job): Promise<readonly OutputFile[]> {
  const files: OutputFile[] = [];
  for await (const part of allOutputs(jobs.outputs, job))
    for (const { path, fingerprint } of part) files.push({ path, ...(fingerprint !== undefined && { fingerprint }) });
  return files;
}
