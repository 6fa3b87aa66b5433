import { ClientError } from '@telecine/client';

/** What is done to many jobs, as far as it has come. */
export interface JobsAction {
  readonly kind: 'cancel' | 'retry';
  /** How many jobs it is done to. */
  readonly count: number;
  readonly done: number;
  /** The ids of the first and the last of the jobs that retries have made. */
  readonly retries?: readonly [first: string, last: string];
  /** The jobs that could not be acted on because of what they are: how many by the code of the problem, and its first message. */
  readonly refused: ReadonlyMap<string, Refusal>;
  readonly state: 'running' | 'stopped' | 'ended';
  /** What ended it before it came to the other jobs. */
  readonly error?: unknown;
}

interface Refusal {
  readonly jobs: number;
  readonly message: string;
}

export const refusedCount = ({ refused }: Pick<JobsAction, 'refused'>): number =>
  [...refused.values()].reduce((sum, { jobs }) => sum + jobs, 0);

/** Calls for one job each, at the same time. More would only wait in the browser. */
const AT_ONCE = 6;

/** Statuses that say something of the caller or of the service, so that calls for other jobs would fail too. */
const OF_ALL: ReadonlySet<number> = new Set([401, 403, 408, 429]);

const isOfOneJob = (error: unknown): error is ClientError =>
  error instanceof ClientError &&
  error.status !== undefined &&
  error.status >= 400 &&
  error.status < 500 &&
  !OF_ALL.has(error.status);

/**
 * Cancels or repeats jobs, some at a time. A job that cannot be acted on is counted; any other error ends the rest.
 *
 * @param act Acts on a job, and returns the id of the job that it was done to or that it made.
 * @param onProgress Is called after each job.
 * @returns the jobs that it acted on or that could not be acted on. The others are as they were.
 */
export async function actOnJobs(
  kind: JobsAction['kind'],
  jobIds: readonly string[],
  act: (jobId: string) => Promise<{ readonly jobId: string }>,
  onProgress: (action: JobsAction) => void,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let action: JobsAction = { kind, count: jobIds.length, done: 0, refused: new Map(), state: 'running' };
  const change = (changes: Partial<JobsAction>): void => {
    action = { ...action, ...changes };
    onProgress(action);
  };
  const isEnded = (): boolean => signal.aborted || action.error !== undefined;
  const left: string[] = [];
  // The oldest first, so that what is run again has the order that it had.
  const rest = jobIds.toSorted().reverse();
  const work = async (): Promise<void> => {
    for (let jobId = rest.pop(); jobId !== undefined && !isEnded(); jobId = rest.pop())
      try {
        const { jobId: made } = await act(jobId);
        left.push(jobId);
        const { done, retries: [first, last] = [made, made] } = action;
        const retries = [made < first ? made : first, made > last ? made : last] as const;
        change({ done: done + 1, ...(kind === 'retry' && { retries }) });
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
