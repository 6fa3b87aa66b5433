import { z } from 'zod';
import { type Job, type JobOutput, outputCountOf } from '../../domain/job.ts';
import { isFinished, type JobStatus } from '../../domain/states.ts';
import type { WaitedJobs } from '../../jobs/job-waits.ts';
import { jobView } from '../../wire/job-view.ts';
import type { ToolOutput } from '../tool.ts';
import type { HasTool } from '../tool-names.ts';
import { UNTRUSTED_NOTE } from './job-summary.ts';
import { modelHint } from './model-hint.ts';
import { outputsToLink } from './output-links.ts';
import { measurementsLine } from './short-measurements.ts';
import type { ToldWarnings } from './told-warnings.ts';

/** What a result with several jobs says of each. */
export interface JobLine {
  readonly jobId: string;
  readonly name: string | undefined;
  readonly status: JobStatus;
  readonly progress: number | undefined;
  readonly error: { readonly code: string; readonly message: string; readonly fix: string | undefined } | undefined;
  /** How many warnings there are, and the first one that the submission did not tell. */
  readonly warnings: { readonly count: number; readonly first: string | undefined } | undefined;
  /** The results of an analysis in a few words. */
  readonly measurements: string | undefined;
  /** The first ones. */
  readonly outputs: readonly Pick<JobOutput, 'path' | 'sizeBytes'>[] | undefined;
  /** How many there are. Absent if the line has all. */
  readonly outputCount: number | undefined;
}

/** What a wait keeps of a job. */
export interface WaitedLine {
  readonly line: JobLine;
  /** The size of all its outputs. Absent if they are too many to be in its record. */
  readonly bytes: number | undefined;
}

/** The most characters of a warning in a line. get_job has all of it. */
const MAX_WARNING = 200;

/** What `tools/list` says of several jobs. */
export const listedJobs = z.array(z.object({ jobId: z.string() }));

/** The line of one job. */
export function jobLine(job: Job, has: HasTool, told: ToldWarnings): WaitedLine {
  const { progress } = jobView(job);
  const { jobId, name, status, error } = job;
  const outputs = outputsToLink(job).map(({ path, sizeBytes }) => ({ path, sizeBytes }));
  const count = outputCountOf(job);
  const line = {
    jobId,
    name,
    status,
    progress: isFinished(status) ? undefined : progress,
    error: error && { code: error.code, message: error.message, fix: error.fix && modelHint(error.fix, has) },
    warnings: warningsOf(told.of(job)),
    measurements: job.measurements && measurementsLine(job.measurements),
    outputs: outputs.length > 0 ? outputs : undefined,
    outputCount: outputs.length > 0 && count > outputs.length ? count : undefined,
  };
  return { line, bytes: bytesOf(job) };
}

function bytesOf(job: Job): number | undefined {
  const { outputs = [] } = job.outputsExpired === true ? {} : job;
  return outputCountOf(job) > outputs.length && outputs.length > 0
    ? undefined
    : outputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

function warningsOf({ untold: [first], untold, told }: ReturnType<ToldWarnings['of']>): JobLine['warnings'] {
  const count = untold.length + told;
  if (count === 0) return undefined;
  const message = first?.message;
  return { count, first: message && message.length > MAX_WARNING ? `${message.slice(0, MAX_WARNING)}…` : message };
}

/** The result of a wait for several jobs: a line for each. A link of each job would have more tokens than all else. */
export function jobsResult({ jobs, running, hasMore }: WaitedJobs<WaitedLine>, has: HasTool): ToolOutput {
  const lines = jobs.map(({ line }) => line);
  const about = [
    lines.some(({ outputs }) => outputs !== undefined) && 'links to the outputs',
    lines.some(({ warnings }) => warnings !== undefined) && 'all warnings',
    lines.some(({ measurements }) => measurements !== undefined) && 'all measurements',
  ].filter(Boolean);
  const next = [
    running > 0
      ? `${running} of ${jobs.length} ${jobs.length === 1 ? 'job has' : 'jobs have'} not ended: call wait_for_job again with ${jobs.length === 1 ? 'its id' : 'their ids'} as "jobIds".`
      : jobs.length > 0
        ? `${jobs.length === 1 ? 'The job has' : `All ${jobs.length} jobs have`} ended.`
        : 'No job was found: call list_jobs.',
    about.length > 0 && has('get_job') && `For ${about.join(' and ')} of a job, call get_job.`,
    hasMore && 'Older jobs may have this metadata too: call list_jobs.',
  ];
  const sizes = jobs.flatMap(({ bytes }) => bytes ?? []);
  const totalBytes = sizes.reduce((sum, bytes) => sum + bytes, 0);
  return {
    structured: {
      running,
      jobs: lines,
      // Without the size of each job, the sum would be too small.
      ...(sizes.length === jobs.length && totalBytes > 0 && { totalBytes }),
      next: next.filter(Boolean).join(' '),
      note: UNTRUSTED_NOTE,
    },
  };
}
