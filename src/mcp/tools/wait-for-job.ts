import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Job } from '../../domain/job.ts';
import { isFinished } from '../../domain/states.ts';
import { jobId } from '../../wire/job-id.ts';
import { jobView } from '../../wire/job-view.ts';
import { jobSummary, summarizeJob } from '../results/job-summary.ts';
import { outputResourceLinks } from '../results/output-links.ts';
import { defineTool, type ToolContext } from './tool.ts';

/** Clients give a call up after 60 s. */
const LONGEST_SECONDS = 50;
const LOOK_EVERY_MS = 500;

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
    const leave = context.deps.waits(context.call.caller.clientId);
    const job = await ended(args.jobId, args.timeoutSeconds * 1000, context).finally(leave);
    return { structured: summarizeJob(job), links: await outputResourceLinks(job, context) };
  },
});

/** The job once it has ended, or as it is when the time is over or the client has given up. */
async function ended(id: string, waitMs: number, { deps, call, signal, progress }: ToolContext): Promise<Job> {
  const until = performance.now() + waitMs;
  let told = -1;
  for (;;) {
    const job = await deps.jobs.get(call.caller, id);
    const { progress: percent = 0, message } = jobView(job);
    if (percent > told) {
      told = percent;
      await progress?.(percent, message);
    }
    const left = until - performance.now();
    if (isFinished(job.status) || left <= 0 || signal.aborted) return job;
    await sleep(Math.min(LOOK_EVERY_MS, left), undefined, { signal }).catch(() => {});
  }
}
