import type { JobView } from '../wire/job.ts';
import { pause, type RetryBudget } from './retry.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface PollOptions extends CallOptions {
  /** Called with each reply, including the last. */
  readonly onUpdate?: ((job: JobView) => void) | undefined;
}

/** One request waits no longer: proxies close idle connections, often after 30 s. */
const WAIT_SECONDS = 20;

/** Pauses between requests while the service replies at once. */
const FIRST_PAUSE_MS = 150;
const MAX_PAUSE_MS = 1000;
const PAUSE_GROWTH = 1.4;

/** A service that restarts, or moves, continues its jobs. */
const BUDGET: RetryBudget = { busySeconds: 300, unreachableSeconds: 120 };

export const hasEnded = ({ status }: JobView): boolean =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED';

/**
 * Returns the job once it has ended, whatever its outcome. The service delays its replies until the job ends, or, with
 * `onUpdate`, until it changes. If the service does not delay them (an older one, or too many requests wait), this
 * function polls once a second.
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
    // The first reply comes at once, so that the caller sees the job as it is now.
    headers = { prefer };
  }
}
