import { z } from 'zod';
import { jobId } from '../../wire/job-id.ts';
import { listedJob, summarizeJob } from '../results/job-summary.ts';
import { defineTool } from '../tool.ts';
import { toolsOf } from '../tool-names.ts';

export const cancelJobTool = defineTool({
  name: 'cancel_job',
  title: 'Cancel a conversion job',
  description: (has) =>
    'Cancels a queued or running conversion. It then has no output; this cannot be undone. A queued job ' +
    `is CANCELLED at once, a running one a moment later${has('wait_for_job') ? ': call wait_for_job' : ''}. For a finished job, the ` +
    'error is JOB_FINISHED.',
  audit: 'job.cancel',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({ jobId }),
  argumentTexts: { jobId: '' },
  output: listedJob,
  run: async (args, { deps, call }) => {
    const job = await deps.jobs.cancel(call.caller, args.jobId);
    await call.audit('job.cancel', { target: args.jobId });
    return { structured: summarizeJob(job, { has: toolsOf(call.caller), withRequest: false }) };
  },
});
