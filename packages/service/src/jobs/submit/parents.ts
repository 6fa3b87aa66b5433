import { parseRequestPath } from '@telecine/contract/domain/bucket-path.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { REQUEST_LIMITS, requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { type FieldError, invalidRequest } from '@telecine/contract/domain/problem.ts';
import { isFinished, type JobStatus } from '@telecine/contract/domain/states.ts';
import { knownRequest } from '../job-request.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { FindExpected } from './probed-plans.ts';

/** The maximum number of unfinished jobs that are read to find the ancestors of a job. */
const MAX_ANCESTORS = 2000;

/** A job in `after`, and its field in the request body. */
interface WantedParent {
  readonly jobId: string;
  readonly field: string;
}

/** Reads the jobs in `after` and their ancestors. Reads each job once. Returns errors for unknown and failed jobs. */
export async function findParents(
  jobs: Pick<JobStore, 'getMany'>,
  clientId: string,
  wanted: readonly WantedParent[],
): Promise<{ readonly parents: ReturnType<typeof parentsAmong> } | { readonly errors: readonly FieldError[] }> {
  if (wanted.length === 0) return { parents: parentsAmong(new Map()) };
  const own = (await jobs.getMany([...new Set(wanted.map(({ jobId }) => jobId))])).filter(
    (job) => job.clientId === clientId,
  );
  const statuses = new Map(own.map(({ jobId, status }) => [jobId, status]));
  const errors = wanted.flatMap(({ jobId, field }) => parentErrors(jobId, statuses.get(jobId), field));
  if (errors.length > 0) return { errors };
  const known = new Map<string, Job>();
  let level = own.filter(isUnfinished);
  let ancestors = 0;
  while (level.length > 0) {
    for (const job of level) known.set(job.jobId, job);
    const next = new Set(level.flatMap(({ waitingFor = [] }) => waitingFor).filter((jobId) => !known.has(jobId)));
    const ids = [...next].slice(0, MAX_ANCESTORS - ancestors);
    ancestors += ids.length;
    level = ids.length === 0 ? [] : (await jobs.getMany(ids)).filter(isUnfinished);
  }
  return { parents: parentsAmong(known) };
}

/**
 * Returns functions about the ancestors of jobs. They visit each job once, because there can be very many paths between
 * two jobs.
 */
function parentsAmong(known: ReadonlyMap<string, Job>) {
  const jobsOf = (jobIds: readonly string[]): readonly Job[] => jobIds.flatMap((jobId) => known.get(jobId) ?? []);
  const levels = new Map<string, number>();
  const highest = (jobIds: readonly string[]): number =>
    jobsOf(jobIds).reduce((max, job) => Math.max(max, levelOf(job)), 0);
  // The recursion is not deep: a submission with more than `REQUEST_LIMITS.waitingLevels` levels is rejected.
  const levelOf = ({ jobId, waitingFor = [] }: Job): number => {
    const level = levels.get(jobId) ?? 1 + highest(waitingFor);
    levels.set(jobId, level);
    return level;
  };
  return {
    /**
     * Returns the length of the longest chain of unfinished jobs that ends with one of these jobs. 0: all these jobs
     * are complete.
     */
    levels: highest,
    /** Returns the unfinished jobs with these ids, and all their unfinished ancestors. */
    unfinished(jobIds: readonly string[]): readonly Job[] {
      const found = new Set(jobsOf(jobIds));
      // The loop also visits jobs that it adds to the set.
      for (const { waitingFor = [] } of found) for (const job of jobsOf(waitingFor)) found.add(job);
      return [...found];
    },
  };
}

const isUnfinished = ({ status }: Job): boolean => !isFinished(status);

/** Returns the error of one job in `after`, if it has one. `status`: undefined if the client has no such job. */
export function parentErrors(jobId: string, status: JobStatus | undefined, field: string): readonly FieldError[] {
  if (status === undefined)
    return [
      {
        field,
        code: 'UNKNOWN_JOB',
        message: `Unknown job "${jobId}": it does not exist, is deleted, or belongs to another client.`,
      },
    ];
  if (status !== 'FAILED' && status !== 'CANCELLED') return [];
  return [
    {
      field,
      code: 'DEPENDENCY_FAILED',
      message: `Job "${jobId}" is ${status}, so a job after it could never start.`,
    },
  ];
}

/** The error for a job at the end of a chain of more waiting jobs than allowed. */
export const tooDeep = (field: string): FieldError => ({
  field,
  code: 'TOO_DEEP',
  message: `This job would wait for a chain of more than ${REQUEST_LIMITS.waitingLevels} unfinished jobs, each of which waits for the one before it.`,
});

export const tooManyDependents = (jobId: string, field: string): FieldError => ({
  field,
  code: 'TOO_MANY',
  message: `More than ${REQUEST_LIMITS.dependents} jobs would wait for job "${jobId}".`,
});

/**
 * Reads the jobs in `after`. Returns a function that finds the paths that these jobs and their ancestors will create.
 * Throws INVALID_REQUEST.
 */
export async function requireParents(
  jobs: Pick<JobStore, 'getMany'>,
  { clientId, root }: Pick<Caller, 'clientId' | 'root'>,
  after: readonly string[],
): Promise<FindExpected> {
  const wanted = after.map((jobId, index) => ({ jobId, field: `/after/${index}` }));
  const result = await findParents(jobs, clientId, wanted);
  if ('errors' in result) throw invalidRequest(result.errors);
  if (result.parents.levels(after) > REQUEST_LIMITS.waitingLevels) throw invalidRequest([tooDeep('/after')]);
  return () => new Set(result.parents.unfinished(after).flatMap((job) => outputPaths(job, root)));
}

/** Returns the paths that a job will create. Leaves out paths where its client may no longer write. */
export const outputPaths = ({ request }: Pick<Job, 'request'>, root: Caller['root']): readonly MediaPath[] =>
  requestedOutputs(knownRequest(request)).flatMap(({ path }) => {
    const parsed = parseRequestPath(path, root, 'write');
    return typeof parsed === 'string' ? [parsed] : [];
  });
