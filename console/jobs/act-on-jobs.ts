import { ClientError, type Job } from '@telecine/client';

/** The progress of an action on several jobs. */
export interface JobsAction {
  readonly kind: 'cancel' | 'retry';
  readonly count: number;
  readonly done: number;
  /** The ids of the first and the last new job that retries have created. */
  readonly retries?: readonly [first: string, last: string];
  /** The ids of the running jobs that the service stops, which takes a moment. They are among those that are done. */
  readonly stopping: readonly string[];
  /** How many jobs the service rejected, and the first message, by the code of the problem. */
  readonly refused: ReadonlyMap<string, Refusal>;
  readonly state: 'running' | 'stopped' | 'ended';
  /** The error that ended the action before it reached all jobs. */
  readonly error?: unknown;
}

interface Refusal {
  readonly jobs: number;
  readonly message: string;
}

export const refusedCount = ({ refused }: Pick<JobsAction, 'refused'>): number =>
  [...refused.values()].reduce((sum, { jobs }) => sum + jobs, 0);

/** The maximum number of simultaneous calls, each for one job. The browser would only queue more. */
const AT_ONCE = 6;

/** Statuses that concern the caller or the service, such as 401 and 429. Calls for other jobs would fail too. */
const OF_ALL: ReadonlySet<number> = new Set([401, 403, 408, 429]);

const isOfOneJob = (error: unknown): error is ClientError =>
  error instanceof ClientError &&
  error.status !== undefined &&
  error.status >= 400 &&
  error.status < 500 &&
  !OF_ALL.has(error.status);

/**
 * Cancels or retries jobs, several at a time. Counts the jobs that the service rejects. Any other error ends the action.
 *
 * @param act Cancels or retries a job. Returns the cancelled or the new job.
 * @param onProgress Called after each job.
 * @returns The ids of the jobs that the service cancelled, retried or rejected. The other jobs are unchanged.
 */
export async function actOnJobs(
  kind: JobsAction['kind'],
  jobIds: readonly string[],
  act: (jobId: string) => Promise<Pick<Job, 'jobId'> & Partial<Pick<Job, 'status'>>>,
  onProgress: (action: JobsAction) => void,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let action: JobsAction = { kind, count: jobIds.length, done: 0, stopping: [], refused: new Map(), state: 'running' };
  const change = (changes: Partial<JobsAction>): void => {
    action = { ...action, ...changes };
    onProgress(action);
  };
  const isEnded = (): boolean => signal.aborted || action.error !== undefined;
  const left: string[] = [];
  // Begin with the oldest job, so that the retries have the same order as the original jobs.
  const rest = jobIds.toSorted().reverse();
  const work = async (): Promise<void> => {
    for (let jobId = rest.pop(); jobId !== undefined && !isEnded(); jobId = rest.pop())
      try {
        const { jobId: made, status } = await act(jobId);
        left.push(jobId);
        const { done, retries: [first, last] = [made, made] } = action;
        const retries = [made < first ? made : first, made > last ? made : last] as const;
        const isStopping = kind === 'cancel' && status === 'PROCESSING';
        const stopping = isStopping ? [...action.stopping, jobId] : action.stopping;
        change({ done: done + 1, stopping, ...(kind === 'retry' && { retries }) });
      } catch (error) {
        if (!isOfOneJob(error)) change({ error });
        else {
          left.push(jobId);
          change({ refused: withRefusal(action.refused, error) });
        }
      }
  };
  change({});
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  change({ state: left.length < jobIds.length && action.error === undefined ? 'stopped' : 'ended' });
  return left;
}

function withRefusal(refused: JobsAction['refused'], { code, message }: ClientError): JobsAction['refused'] {
  const before = refused.get(code) ?? { jobs: 0, message };
  return new Map(refused).set(code, { ...before, jobs: before.jobs + 1 });
}
