import { z } from 'zod';
import type { Job, JobOutput } from '../../domain/job.ts';
import { isFinished, type JobStatus } from '../../domain/states.ts';
import type { WaitedJobs } from '../../jobs/operations.ts';
import { jobView } from '../../wire/job-view.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';
import { type HasTool, toolsOf } from '../tool-names.ts';
import { UNTRUSTED_NOTE } from './job-summary.ts';
import { modelHint } from './model-hint.ts';
import { addLinks, outputsToLink } from './output-links.ts';

/** The most jobs with links in one result. A link has about 90 tokens. */
const MAX_LINKED_JOBS = 20;

/** What a result with several jobs says of each. */
export interface JobLine {
  readonly jobId: string;
  readonly name: string | undefined;
  readonly status: JobStatus;
  readonly progress: number | undefined;
  readonly error: { readonly code: string; readonly message: string; readonly fix: string | undefined } | undefined;
  readonly outputs: readonly Pick<JobOutput, 'path' | 'sizeBytes'>[] | undefined;
}

/** What `tools/list` says of several jobs. */
export const listedJobs = z.array(z.object({ jobId: z.string() }));

/** The line of one job. Its outputs are those that get links. */
export function jobLine(job: Job, has: HasTool): JobLine {
  const { progress } = jobView(job);
  const { jobId, name, status, error } = job;
  const outputs = outputsToLink(job).map(({ path, sizeBytes }) => ({ path, sizeBytes }));
  return {
    jobId,
    name,
    status,
    progress: isFinished(status) ? undefined : progress,
    error: error && { code: error.code, message: error.message, fix: error.fix && modelHint(error.fix, has) },
    outputs: outputs.length > 0 ? outputs : undefined,
  };
}

/** The result of a wait for several jobs: a line for each, with links to the outputs of those that are complete. */
export async function jobsResult(
  { jobs, running, hasMore }: WaitedJobs<JobLine>,
  context: Pick<ToolContext, 'deps' | 'call'>,
): Promise<ToolOutput> {
  let linked = 0;
  const lines: JobLine[] = [];
  for (const line of jobs)
    if (line.outputs === undefined || linked === MAX_LINKED_JOBS) lines.push(line);
    else {
      linked += 1;
      lines.push({ ...line, outputs: await addLinks(line.jobId, line.outputs, context) });
    }
  const isCut =
    jobs.filter((job) => job.outputs !== undefined).length > linked && toolsOf(context.call.caller)('get_job');
  const next = [
    running > 0
      ? `${running} of ${jobs.length} jobs have not ended: call wait_for_job again with their ids as "jobIds".`
      : jobs.length > 0
        ? `All ${jobs.length} jobs have ended.`
        : 'No job was found: call list_jobs.',
    isCut && `Links are shown for ${MAX_LINKED_JOBS} jobs; get_job returns those of others.`,
    hasMore && 'Older jobs may have this metadata too: call list_jobs.',
  ];
  return { structured: { running, jobs: lines, next: next.filter(Boolean).join(' '), note: UNTRUSTED_NOTE } };
}
