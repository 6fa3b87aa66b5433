import { type Job, type JobOutput, outputCountOf } from '@telecine/contract/domain/job.ts';
import { shorten } from '@telecine/contract/domain/quantity.ts';
import { isFinished, type JobStatus } from '@telecine/contract/domain/states.ts';
import { jobView } from '@telecine/contract/wire/job-view.ts';
import type { WaitedJobs } from '../../jobs/job-waits.ts';
import type { ToolOutput } from '../tool.ts';
import type { HasTool } from '../tool-names.ts';
import { modelHint } from './model-hint.ts';
import { outputsToLink } from './output-links.ts';
import { measurementsLine } from './short-measurements.ts';
import type { ShownWarnings } from './shown-warnings.ts';

/** One of several jobs in a result. */
interface JobLine {
  readonly jobId: string;
  readonly name: string | undefined;
  readonly status: JobStatus;
  readonly progress: number | undefined;
  readonly error: { readonly code: string; readonly message: string; readonly fix: string | undefined } | undefined;
  /** `count`: the number of warnings. `first`: the first warning that the submission has not shown. */
  readonly warnings: { readonly count: number; readonly first: string | undefined } | undefined;
  /** The results of an analysis in one line. */
  readonly measurements: string | undefined;
  /** Only the first outputs. */
  readonly outputs: readonly Pick<JobOutput, 'path' | 'sizeBytes'>[] | undefined;
  /** The number of all outputs. Absent if `outputs` contains all of them. */
  readonly outputCount: number | undefined;
}

/** A job in the result of wait_for_job. */
interface WaitedLine {
  readonly line: JobLine;
  /** The size of all outputs, in bytes. undefined: the job has more outputs than its record contains. */
  readonly bytes: number | undefined;
}

/** The maximum length of a warning in a line, in characters. */
const MAX_WARNING = 200;

export function jobLine(job: Job, has: HasTool, shown: ShownWarnings): WaitedLine {
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
    warnings: warningsOf(shown.of(job)),
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

function warningsOf({ unseen, seenCount }: ReturnType<ShownWarnings['of']>): JobLine['warnings'] {
  const count = unseen.length + seenCount;
  if (count === 0) return undefined;
  const message = unseen[0]?.message;
  return { count, first: message && shorten(message, MAX_WARNING) };
}

/** Returns the result of a wait for several jobs: one line for each, without links, because these have many tokens. */
export function jobsResult({ jobs, running, hasMore }: WaitedJobs<WaitedLine>): ToolOutput {
  const lines = jobs.map(({ line }) => line);
  const about = [
    lines.some(({ outputs }) => outputs !== undefined) && 'links to the outputs',
    lines.some(({ warnings }) => warnings !== undefined) && 'all warnings',
    lines.some(({ measurements }) => measurements !== undefined) && 'all measurements',
  ].filter(Boolean);
  const next = [
    running > 0
      ? `${running} of ${jobs.length} ${jobs.length === 1 ? 'job has' : 'jobs have'} not ended: call wait_for_job again with ${jobs.length === 1 ? 'its id' : 'their ids'} as "jobIds".`
      : jobs.length === 0 && 'No job was found: call list_jobs.',
    about.length > 0 &&
      `For ${about.join(' and ')} of one, call wait_for_job with its "jobId" and "timeoutSeconds": 0.`,
    hasMore && 'Older jobs may have this metadata too: call list_jobs.',
  ];
  const sizes = jobs.flatMap(({ bytes }) => bytes ?? []);
  const totalBytes = sizes.reduce((sum, bytes) => sum + bytes, 0);
  return {
    structured: {
      running,
      jobs: lines,
      // If the size of one job is unknown, leave out the sum, which would be too small.
      ...(sizes.length === jobs.length && totalBytes > 0 && { totalBytes }),
      next: next.filter(Boolean).join(' ') || undefined,
    },
  };
}
