import { z } from 'zod';
import type { Job } from '../../domain/job.ts';
import { Problem } from '../../domain/problem.ts';
import { jobId } from '../../wire/job-id.ts';
import { jobView } from '../../wire/job-view.ts';
import { jobSummary, summarizeJob } from '../results/job-summary.ts';
import { outputResourceLinks } from '../results/output-links.ts';
import { defineTool, type ToolContext } from '../tool.ts';

/** Clients give a call up after 60 s. */
const LONGEST_SECONDS = 50;

export const waitForJob = defineTool({
  name: 'wait_for_job',
  title: 'Wait for a conversion job',
  description:
    `Waits until a conversion has ended, but never longer than ${LONGEST_SECONDS} seconds, and answers as get_job does. ` +
    'While the status is PENDING or PROCESSING, call it again; the conversion goes on meanwhile, whether you wait or not. ' +
    'Progress is told where the client asks for it.',
  scopes: ['jobs:read'],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    jobId: jobId.meta({ description: '"jobId" of convert_media or list_jobs.' }),
    timeoutSeconds: z
      .int()
      .min(1)
      .max(LONGEST_SECONDS)
      .default(45)
      .meta({ description: 'How long to wait at most. The default suits.' }),
  }),
  output: jobSummary,
  run: async (args, context) => {
    const job = await waitForEnd(args.jobId, args.timeoutSeconds, context);
    return { structured: summarizeJob(job), links: await outputResourceLinks(job, context) };
  },
});

/** The job once it has ended, or as it is when the time is over or the client has given up. Throws RATE_LIMITED. */
async function waitForEnd(jobId: string, seconds: number, { deps, call, signal, progress }: ToolContext): Promise<Job> {
  let reported = -1;
  const reportProgress = async (job: Job): Promise<void> => {
    const { progress: percent = 0, message } = jobView(job);
    if (percent <= reported) return;
    reported = percent;
    await progress?.(percent, message);
  };
  const onChange = progress && reportProgress;
  const job = await deps.jobs.wait(call.caller, jobId, { seconds, signal, until: 'end', onChange });
  if (job !== undefined) return job;
  throw new Problem('RATE_LIMITED', 'Too many calls of wait_for_job are waiting. Let one of them end first.', {
    retryAfterSeconds: 5,
  });
}
