import { REQUEST_LIMITS } from '../../domain/conversion.ts';
import type { Job } from '../../domain/job.ts';
import type { FieldError } from '../../domain/problem.ts';
import type { JobStatus } from '../../domain/states.ts';
import type { JobStore } from '../ports/job-store.ts';

/** The most unfinished jobs that are read to find what a job waits for, directly or not. */
const MAX_ANCESTORS = 2000;

/** The jobs that a new job waits for. */
export interface Parents {
  /** Those of its `after` that are not complete. */
  readonly unfinished: readonly Job[];
  /** What those wait for, directly or not. */
  readonly ancestors: readonly Job[];
  /** How many jobs wait for each other in a row, with the new one. */
  readonly levels: number;
}

export const NO_PARENTS: Parents = { unfinished: [], ancestors: [], levels: 0 };

/**
 * Reads the jobs of `after`, and what they wait for. `fields`: where each of `after` is in the body. Returns the errors if
 * a job is unknown, has failed, or if too many jobs wait for each other.
 */
export async function findParents(
  jobs: Pick<JobStore, 'get'>,
  clientId: string,
  after: readonly string[],
  fields: readonly string[],
): Promise<{ readonly parents: Parents } | { readonly errors: readonly FieldError[] }> {
  const found = await Promise.all(after.map((jobId) => jobs.get(jobId)));
  const errors = after.flatMap((jobId, index) => {
    const job = found[index];
    const own = job?.clientId === clientId ? job : undefined;
    return parentErrors(jobId, own?.status, fields[index] ?? '');
  });
  if (errors.length > 0) return { errors };
  const unfinished = found.filter((job) => job !== undefined).filter(({ status }) => status !== 'COMPLETED');
  const { ancestors, levels } = await walkUp(jobs, unfinished);
  if (levels > REQUEST_LIMITS.waitingLevels) return { errors: [tooDeep(fields[0] ?? '')] };
  return { parents: { unfinished, ancestors, levels } };
}

/** Walks level by level, so that a long chain needs no recursion. Each level waits for the one before. */
async function walkUp(
  jobs: Pick<JobStore, 'get'>,
  unfinished: readonly Job[],
): Promise<Pick<Parents, 'ancestors' | 'levels'>> {
  const ancestors = new Map<string, Job>();
  let level = unfinished;
  let levels = level.length > 0 ? 1 : 0;
  while (ancestors.size < MAX_ANCESTORS && levels <= REQUEST_LIMITS.waitingLevels) {
    const next = [...new Set(level.flatMap(({ waitingFor = [] }) => waitingFor))].slice(0, MAX_ANCESTORS);
    if (next.length === 0) break;
    const found = await Promise.all(next.map(async (jobId) => ancestors.get(jobId) ?? (await jobs.get(jobId))));
    level = found.filter((job) => job !== undefined);
    for (const job of level) ancestors.set(job.jobId, job);
    levels += 1;
  }
  return { ancestors: [...ancestors.values()], levels };
}

/** The error of one job in `after`. `status`: undefined if the client has no such job. */
export function parentErrors(jobId: string, status: JobStatus | undefined, field: string): readonly FieldError[] {
  if (status === undefined)
    return [
      {
        field,
        code: 'UNKNOWN_JOB',
        message: `Unknown job "${jobId}": it does not exist, is deleted, or belongs to another client.`,
        fix: 'Send the id of one of your jobs, or leave it out.',
      },
    ];
  if (status !== 'FAILED' && status !== 'CANCELLED') return [];
  return [
    {
      field,
      code: 'DEPENDENCY_FAILED',
      message: `Job "${jobId}" is ${status}, so a job after it could never start.`,
      fix: 'Retry that job, and send the id of the new one. Or leave it out, if this job does not need its output.',
    },
  ];
}

/** The error if more jobs wait for each other in a row than allowed. */
export const tooDeep = (field: string): FieldError => ({
  field,
  code: 'TOO_DEEP',
  message: `More than ${REQUEST_LIMITS.waitingLevels} jobs would wait for each other in a row.`,
  fix: 'Submit this job when some of them are complete.',
});

/** The error if too many jobs wait for one. */
export const tooManyDependents = (jobId: string, field: string): FieldError => ({
  field,
  code: 'TOO_MANY',
  message: `${REQUEST_LIMITS.dependents} jobs wait for job "${jobId}", the most that may.`,
  fix: 'Submit this job when that one is complete.',
});
