import { z } from 'zod';
import { jobId } from '../../wire/job-id.ts';
import { jobSummary, summarizeJob } from '../results/job-summary.ts';
import { outputResourceLinks } from '../results/output-links.ts';
import { defineTool } from '../tool.ts';

export const getJob = defineTool({
  name: 'get_job',
  title: 'Get a conversion job',
  description:
    'How one conversion is doing, at once: status, progress in percent, and when it is finished the outputs with links ' +
    'to download them (good for a while), or the error with its fix. To wait for the end call wait_for_job instead of ' +
    'asking again and again. Jobs are kept until someone deletes them.',
  scopes: ['jobs:read'],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ jobId: jobId.meta({ description: '"jobId" of convert_media or list_jobs.' }) }),
  output: jobSummary,
  run: async (args, context) => {
    const job = await context.deps.jobs.get(context.call.caller, args.jobId);
    return { structured: summarizeJob(job), links: await outputResourceLinks(job, context) };
  },
});
