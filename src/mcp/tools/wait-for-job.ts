import { z } from 'zod';
import type { Job } from '../../domain/job.ts';
import { Problem } from '../../domain/problem.ts';
import { MAX_CALL_WAIT_SECONDS } from '../../domain/quantity.ts';
import { type JobSelection, MAX_JOBS_PER_WAIT } from '../../jobs/job-waits.ts';
import { batchId, jobId } from '../../wire/job-id.ts';
import { jobView } from '../../wire/job-view.ts';
import { metadata } from '../../wire/metadata.ts';
import { jobResult } from '../results/job-result.ts';
import { listedJob } from '../results/job-summary.ts';
import { jobLine, jobsResult, listedJobs } from '../results/jobs-result.ts';
import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';
import { toolsOf } from '../tool-names.ts';

/** Which jobs to wait for. A call has one of them. */
const SELECTIONS = ['jobId', 'jobIds', 'batchId', 'metadata'] as const;

const input = z
  .strictObject({
    jobId: jobId.exactOptional(),
    jobIds: z.array(jobId).min(1).max(MAX_JOBS_PER_WAIT).exactOptional(),
    batchId: batchId.exactOptional(),
    metadata: metadata.exactOptional(),
    timeoutSeconds: z.int().min(1).max(MAX_CALL_WAIT_SECONDS).default(45),
  })
  .superRefine((args, { addIssue }) => {
    const [first, second] = SELECTIONS.filter((name) => args[name] !== undefined);
    if (args.metadata !== undefined && Object.keys(args.metadata).length === 0)
      addIssue({
        code: 'custom',
        path: ['metadata'],
        message: '"metadata" is empty, so it selects no jobs.',
        params: { code: 'EMPTY', fix: 'Send values that the jobs have: {"order": "A-1042"}.' },
      });
    if (first === undefined) addIssue({ code: 'invalid_type', expected: 'string', path: ['jobId'], input: undefined });
    if (second !== undefined)
      addIssue({
        code: 'custom',
        path: [second],
        message: `"${second}" and "${first}" both select jobs. A call has one of ${SELECTIONS.map((one) => `"${one}"`).join(', ')}.`,
        params: { code: 'CONFLICT', fix: `Leave out "${second}" or "${first}".` },
      });
  });

export const waitForJobTool = defineTool({
  name: 'wait_for_job',
  title: 'Wait for a conversion job',
  description:
    `Waits until a conversion is finished, at most ${MAX_CALL_WAIT_SECONDS} seconds, and returns it. ` +
    'While it is PENDING or PROCESSING, call again; the conversion continues whether you wait or not. ' +
    'For several, send "jobIds", "batchId" or "metadata".',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  argumentTexts: { jobId: '', batchId: '', metadata: '' },
  output: listedJob
    .pick({ jobId: true, status: true, outputs: true })
    .partial()
    .extend({ jobs: listedJobs.optional() }),
  run: async ({ timeoutSeconds: seconds, jobId: one, jobIds, batchId: batch, metadata: values }, context) => {
    if (one !== undefined) return jobResult(await waitForEnd(one, seconds, context), context, { mostLinks: 1 });
    if (jobIds !== undefined) return waitForEnds({ jobIds }, seconds, context);
    if (batch !== undefined) return waitForEnds({ batchId: batch }, seconds, context);
    return waitForEnds({ metadata: values ?? {} }, seconds, context);
  },
});

/** Waits until the job ends, the time is over or the client cancels the call. Returns the job. Throws RATE_LIMITED. */
async function waitForEnd(id: string, seconds: number, { deps, call, signal, progress }: ToolContext): Promise<Job> {
  let reported = -1;
  const reportProgress = async (job: Job): Promise<void> => {
    const { progress: percent = 0, message } = jobView(job);
    if (percent <= reported) return;
    reported = percent;
    await progress?.(percent, message);
  };
  const onChange = progress && reportProgress;
  return started(await deps.jobs.wait(call.caller, id, { seconds, signal, until: 'end', onChange }));
}

/** Waits for several jobs as `waitForEnd` does. The progress is how many have ended. Throws RATE_LIMITED. */
async function waitForEnds(selection: JobSelection, seconds: number, context: ToolContext): Promise<ToolOutput> {
  const { deps, call, signal, progress } = context;
  const has = toolsOf(call.caller);
  let reported = -1;
  const reportProgress = async (ended: number, all: number): Promise<void> => {
    if (ended === reported) return;
    reported = ended;
    await progress?.((100 * ended) / Math.max(1, all), `${ended} of ${all} jobs have ended.`);
  };
  const onEnd = progress && reportProgress;
  const keep = (job: Job) => jobLine(job, has, deps.told);
  return jobsResult(started(await deps.jobs.waitForAll(call.caller, selection, { seconds, signal, keep, onEnd })), has);
}

/** Throws RATE_LIMITED if the wait could not start. */
function started<T>(result: T | undefined): T {
  if (result !== undefined) return result;
  throw new Problem('RATE_LIMITED', 'Too many calls of wait_for_job are waiting. Wait for one of them to return.', {
    retryAfterSeconds: 5,
  });
}
