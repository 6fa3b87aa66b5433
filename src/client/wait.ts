import type { JobView } from '../wire/job.ts';
import { pause, type RetryBudget } from './retry.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface PollOptions extends CallOptions {
  /** Called with the job in each reply, including the last. */
  readonly onUpdate?: ((job: JobView) => void) | undefined;
}

/** The maximum wait of one request. Proxies close idle connections, often after 30 s. */
const WAIT_SECONDS = 20;

/** The first pause between requests if the service does not delay its replies. */
const FIRST_PAUSE_MS = 150;
const MAX_PAUSE_MS = 1000;
const PAUSE_GROWTH = 1.4;

/** The budget is long, because a service that restarts or moves to another host continues its jobs. */
const BUDGET: RetryBudget = { busySeconds: 300, unreachableSeconds: 120 };

export const hasEnded = ({ status }: Pick<JobView, 'status'>): boolean =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED';

/**
 * Returns the job once it is completed, failed or cancelled. The service delays its replies until the job ends, or, with
 * `onUpdate`, until it changes. If the service does not delay them (an older version, or too many requests wait), this
 * function polls, at most once a second.
 */
export async function pollJob(
  { read }: Transport,
  jobId: string,
  { signal, onUpdate }: PollOptions = {},
): Promise<JobView> {
  const prefer = `wait=${WAIT_SECONDS}${onUpdate === undefined ? '' : '; until=change'}`;
  let headers: Readonly<Record<string, string>> = {};
  for (let pauseMs = 0; ; pauseMs = Math.min(Math.max(pauseMs * PAUSE_GROWTH, FIRST_PAUSE_MS), MAX_PAUSE_MS)) {
    const { job, delayed } = await read(
      'getJob',
      { params: { jobId }, budget: BUDGET, signal, headers: () => headers },
      async (response) => ({
        job: (await response.json()) as JobView,
        delayed: response.headers.has('preference-applied'),
      }),
    );
    onUpdate?.(job);
    if (hasEnded(job)) return job;
    if (delayed) pauseMs = 0;
    else await pause(pauseMs, signal);
    // The first request does not wait, so that the caller sees the current state of the job at once.
    headers = { prefer };
  }
}
