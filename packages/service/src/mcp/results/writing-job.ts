import { allows } from '@telecine/contract/domain/client.ts';
import { requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { relativeToRoot } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { knownRequest } from '../../jobs/job-request.ts';
import type { ToolContext } from '../tool.ts';

/** The maximum number of unfinished jobs of each status that are searched. */
const MAX_JOBS = 50;

const plainOutputs = ({ request }: Job): readonly string[] =>
  requestedOutputs(knownRequest(request)).map(({ path }) => relativeToRoot(path));

/**
 * Finds an unfinished job of the caller that writes a file. undefined: there is none, or the caller may not read jobs.
 */
export async function jobWriting(
  path: string,
  { deps, call: { caller } }: Pick<ToolContext, 'deps' | 'call'>,
): Promise<Job | undefined> {
  if (!allows(caller, 'jobs:read')) return undefined;
  const wanted = relativeToRoot(path);
  const list = async (status: 'PENDING' | 'PROCESSING') =>
    (await deps.jobs.list(caller, { status, limit: MAX_JOBS })).jobs;
  // Read PENDING first, so that a job that starts between the two reads is in the second list.
  const pending = await list('PENDING');
  const jobs = [...(await list('PROCESSING')), ...pending];
  return jobs.find((job) => job.clientId === caller.clientId && plainOutputs(job).includes(wanted));
}

/** The error about an input that an unfinished job will write. */
export const notWrittenYet = ({ jobId, status }: Job, path: string, field = '/input'): Problem => {
  const message = `"${path}" is an output of job ${jobId}, which is ${status}. The file appears when it is COMPLETED.`;
  const fix = [{ do: 'wait-for-job' as const, jobId }, ', then call again.'];
  return new Problem('JOB_NOT_FINISHED', message, { errors: [{ field, code: 'JOB_NOT_FINISHED', message, fix }] });
};

/**
 * If an unfinished job will write a missing file, replaces the error about the file. Returns other errors unchanged.
 */
export async function withWritingJob(
  error: unknown,
  path: string,
  context: Pick<ToolContext, 'deps' | 'call'>,
): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== 'INPUT_NOT_FOUND') return error;
  const job = await jobWriting(path, context);
  return job === undefined ? error : notWrittenYet(job, path, error.errors[0]?.field);
}
