import type { Job } from '@telecine/client';
import type { Draft } from './draft.ts';

/** The jobs that the user has started together. */
export interface Run {
  /** The draft that made them. It is done unless the user changes it. */
  readonly draft: Draft;
  readonly jobIds: readonly string[];
  /** Absent for a single job. */
  readonly batchId?: string | undefined;
  /** The jobs that run with a fix in place of failed ones. They are not of the batch. */
  readonly fixedIds?: readonly string[];
  /** The jobs that have ended. */
  readonly ended: ReadonlyMap<string, Job>;
}

/** How far the jobs of a run are. `failed`: all have ended, and at least one has no outputs. */
export type RunProgress = 'running' | 'completed' | 'failed';

export function progressOf({ jobIds, ended }: Run): RunProgress {
  if (jobIds.some((jobId) => !ended.has(jobId))) return 'running';
  return [...ended.values()].every(({ status }) => status === 'COMPLETED') ? 'completed' : 'failed';
}

/**
 * The run with another job in place of one that has failed. The same run if the failed job is of an earlier one. `draft`: the draft that has
 * made the new job.
 */
export const withJobReplaced = (run: Run, failedId: string, jobId: string, draft = run.draft): Run =>
  run.jobIds.includes(failedId)
    ? {
        ...run,
        draft,
        fixedIds: [...(run.fixedIds ?? []), jobId],
        jobIds: run.jobIds.map((each) => (each === failedId ? jobId : each)),
        ended: new Map([...run.ended].filter(([each]) => each !== failedId)),
      }
    : run;

/** The maximum number of earlier jobs that the page lists. All are in the list of jobs. */
const MAX_EARLIER = 5;

/** The jobs that were started before the last run, the newest first, with those of another run. Jobs without a result are left out. */
export const withEarlierRun = (earlier: readonly string[], run: Run | undefined): readonly string[] =>
  run === undefined ? earlier : [...resultsOf(run).toReversed(), ...earlier].slice(0, MAX_EARLIER);

/** The jobs of a run that have a result, or can have one later. */
const resultsOf = ({ jobIds, ended }: Run): readonly string[] =>
  jobIds.filter((jobId) => (ended.get(jobId)?.status ?? 'COMPLETED') === 'COMPLETED');

/** A run that takes longer than this is worth a notification. */
const LONG_SECONDS = 60;

/** Whether a run takes long. `job`: one of its jobs. `unfinished`: the number of its jobs that have not ended. */
export const takesLong = ({ status, etaSeconds = 0 }: Pick<Job, 'status' | 'etaSeconds'>, unfinished = 1): boolean =>
  status === 'PROCESSING' && etaSeconds * unfinished > LONG_SECONDS;

/** The paths that completed jobs were asked to write. */
export const pathsWrittenBy = (jobs: Iterable<Job>): readonly string[] =>
  [...jobs].flatMap(({ status, output, requestedOutputs = [] }) =>
    status !== 'COMPLETED'
      ? []
      : [...(output === undefined ? [] : [output]), ...requestedOutputs.map((one) => one.output)],
  );
