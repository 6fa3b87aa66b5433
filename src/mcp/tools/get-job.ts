import { z } from 'zod';
import { jobId } from '../../wire/job-id.ts';
import { cursor } from '../../wire/query.ts';
import { jobResult } from '../results/job-result.ts';
import { listedJob } from '../results/job-summary.ts';
import { measuredPage } from '../results/short-measurements.ts';
import { defineTool } from '../tool.ts';

export const getJobTool = defineTool({
  name: 'get_job',
  title: 'Get a conversion job',
  description:
    'Returns a conversion at once: status, progress in percent, and, once finished, its outputs with download links (which ' +
    'expire), or its error with the fix. To wait for its end, call wait_for_job instead of polling. Jobs are kept until they ' +
    'are deleted.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  answersAtOnce: true,
  input: z.strictObject({ jobId, cursor: cursor(50) }),
  argumentTexts: { jobId: '', cursor: '"nextCursor" of a measured list.' },
  output: listedJob,
  run: async (args, context) =>
    args.cursor === undefined
      ? jobResult(await context.deps.jobs.get(context.call.caller, args.jobId), context, { withRequest: true })
      : { structured: await measuredPage(context, args.jobId, args.cursor) },
});
