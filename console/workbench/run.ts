import type { Job } from '@telecine/client';
import type { Draft } from './draft.ts';

/** The jobs that the user has started together. */
export interface Run {
  /** The draft that made them. It is done unless the user changes it. */
  readonly draft: Draft;
  readonly jobIds: readonly string[];
  /** Absent for a single job. */
  readonly batchId?: string | undefined;
  /** The jobs that have ended. */
  readonly ended: ReadonlyMap<string, Job>;
}

/** How far the jobs of a run are. `failed`: all have ended, and at least one has no outputs. */
export type RunProgress = 'running' | 'completed' | 'failed';

export function progressOf({ jobIds, ended }: Run): RunProgress {
  if (jobIds.some((jobId) => !ended.has(jobId))) return 'running';
  return [...ended.values()].every(({ status }) => status === 'COMPLETED') ? 'completed' : 'failed';
}

/** The paths that completed jobs were asked to write. */
export const pathsWrittenBy = (jobs: Iterable<Job>): readonly string[] =>
  [...jobs].flatMap(({ status, output, requestedOutputs = [] }) =>
    status !== 'COMPLETED'
      ? []
      : [...(output === undefined ? [] : [output]), ...requestedOutputs.map((one) => one.output)],
  );
