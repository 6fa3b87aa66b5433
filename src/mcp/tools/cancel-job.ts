import { z } from 'zod';
import type { Job } from '../../domain/job.ts';
import { Problem } from '../../domain/problem.ts';
import { MAX_JOBS_PER_WAIT } from '../../jobs/job-waits.ts';
import { jobId } from '../../wire/job-id.ts';
import { listedJob, summarizeJob } from '../results/job-summary.ts';
import { jobLine, jobsResult, listedJobs } from '../results/jobs-result.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { toolsOf } from '../tool-names.ts';

const input = z
  .strictObject({ jobId: jobId.exactOptional(), jobIds: z.array(jobId).min(1).max(MAX_JOBS_PER_WAIT).exactOptional() })
  .superRefine((args, { addIssue }) => {
    if (args.jobId === undefined && args.jobIds === undefined)
      addIssue({ code: 'invalid_type', expected: 'string', path: ['jobId'], input: undefined });
    if (args.jobId !== undefined && args.jobIds !== undefined)
      addIssue({
        code: 'custom',
        path: ['jobIds'],
        message: '"jobIds" and "jobId" both select jobs. A call has one of them.',
        params: { code: 'CONFLICT', fix: 'Leave out "jobIds" or "jobId".' },
      });
  });

export const cancelJobTool = defineTool({
  name: 'cancel_job',
  title: 'Cancel conversion jobs',
  description: (has) =>
    'Cancels a queued or running conversion, or several. It then has no output; this cannot be undone. A queued job ' +
    `is CANCELLED at once, a running one a moment later${has('wait_for_job') ? ': call wait_for_job' : ''}. For one that is ` +
    'finished, the error is JOB_FINISHED.',
  audit: 'job.cancel',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input,
  argumentTexts: { jobId: '' },
  output: listedJob.pick({ jobId: true, status: true }).partial().extend({ jobs: listedJobs.optional() }),
  run: async ({ jobId: one, jobIds: several = [] }, context) => {
    const { deps, call } = context;
    const has = toolsOf(call.caller);
    if (one !== undefined) return { structured: summarizeJob(await cancel(one, context), { has, withRequest: false }) };
    // An unknown id is most likely a mistake in the call, so nothing is cancelled then.
    const ids = [...new Set(several)];
    for (const id of ids) await deps.jobs.get(call.caller, id);
    const lines = [];
    for (const id of ids) lines.push(jobLine(await cancelIfRunning(id, context), has, deps.told));
    const running = lines.filter(({ line }) => line.status === 'PENDING' || line.status === 'PROCESSING').length;
    return jobsResult({ jobs: lines, running, hasMore: false }, has);
  },
});

async function cancel(id: string, { deps, call }: ToolContext): Promise<Job> {
  const job = await deps.jobs.cancel(call.caller, id);
  await call.audit('job.cancel', { target: id });
  return job;
}

/** The job after it was cancelled, or as it ended before. */
async function cancelIfRunning(id: string, context: ToolContext): Promise<Job> {
  try {
    return await cancel(id, context);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'JOB_FINISHED') throw error;
    return context.deps.jobs.get(context.call.caller, id);
  }
}
