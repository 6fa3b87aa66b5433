import { z } from 'zod';
import { jobId } from '../../wire/job-id.ts';
import { jobSummary, summarizeJob } from '../results/job-summary.ts';
import { defineTool } from '../tool.ts';

export const cancelJob = defineTool({
  name: 'cancel_job',
  title: 'Cancel a conversion job',
  description:
    'Ends a conversion that waits or runs; it leaves no output, and cannot be taken back. A job that waits is CANCELLED ' +
    'at once; a running one a moment later: wait_for_job tells. A finished job is an error (JOB_FINISHED).',
  scopes: ['jobs:write'],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({ jobId: jobId.meta({ description: '"jobId" of convert_media or list_jobs.' }) }),
  output: jobSummary,
  run: async (args, { deps, call }) => ({ structured: summarizeJob(await deps.jobs.cancel(call.caller, args.jobId)) }),
});
