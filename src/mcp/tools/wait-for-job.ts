import { z } from 'zod';
import type { Job } from '../../domain/job.ts';
import { Problem } from '../../domain/problem.ts';
import { jobId } from '../../wire/job-id.ts';
import { jobView } from '../../wire/job-view.ts';
import { jobResult } from '../results/job-result.ts';
import { listedJob } from '../results/job-summary.ts';
import { defineTool, type ToolContext } from '../tool.ts';

/** The maximum wait. Clients time out calls after 60 s. */
const MAX_SECONDS = 50;

export const waitForJobTool = defineTool({
  name: 'wait_for_job',
  title: 'Wait for a conversion job',
  description:
    `Waits until a conversion is finished, at most ${MAX_SECONDS} seconds, and returns the same as get_job. ` +
    'If the status is still PENDING or PROCESSING, call it again; the conversion continues whether you wait or not. ' +
    'Reports progress if the client requests it.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    jobId,
    timeoutSeconds: z.int().min(1).max(MAX_SECONDS).default(45),
  }),
  argumentTexts: { jobId: '' },
  output: listedJob,
  run: async (args, context) => jobResult(await waitForEnd(args.jobId, args.timeoutSeconds, context), context),
});

/** Waits until the job ends, the time is over or the client cancels the call. Returns the job. Throws RATE_LIMITED. */
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
  throw new Problem('RATE_LIMITED', 'Too many calls of wait_for_job are waiting. Wait for one of them to return.', {
    retryAfterSeconds: 5,
  });
}
