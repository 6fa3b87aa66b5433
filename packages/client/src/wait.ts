import type { Batch, Job } from './api.ts';
import type { PollBatchOptions, PollOptions } from './options.ts';
import { FOLLOW_BUDGET, pause } from './retry.ts';
import type { Transport } from './transport.ts';

/** The maximum wait of one request, in seconds. Proxies close idle connections, often after 30 s. */
const WAIT_SECONDS = 20;

/** The first pause between requests if the service replies at once. */
const FIRST_PAUSE_MS = 150;
const MAX_PAUSE_MS = 1000;
const PAUSE_GROWTH = 1.4;

export const hasEnded = ({ status }: Pick<Job, 'status'>): boolean =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED';

/**
 * Returns the job when it has ended. The service delays each reply until the job ends or, with `onUpdate`, until the job changes. If too
 * many requests wait, the service does not delay replies. The client then polls at most once a second.
 */
export async function pollJob(
  { read }: Transport,
  jobId: string,
  { signal, onUpdate }: PollOptions = {},
): Promise<Job> {
  const prefer = `wait=${WAIT_SECONDS}${onUpdate === undefined ? '' : '; until=change'}`;
  let headers: Readonly<Record<string, string>> = {};
  for (let pauseMs = 0; ; pauseMs = Math.min(Math.max(pauseMs * PAUSE_GROWTH, FIRST_PAUSE_MS), MAX_PAUSE_MS)) {
    const { job, delayed } = await read(
      'getJob',
      { params: { jobId }, budget: FOLLOW_BUDGET, signal, headers: () => headers },
      async (response) => ({
        job: (await response.json()) as Job,
        delayed: response.headers.has('preference-applied'),
      }),
    );
    onUpdate?.(job);
    if (hasEnded(job)) return job;
    if (delayed) pauseMs = 0;
    else await pause(pauseMs, signal);
    // The first request does not wait, so that the caller gets the current state of the job at once.
    headers = { prefer };
  }
}

const BATCH_PAUSE_MS = 2000;

/** Returns the batch when all its jobs have ended. Polls at most every two seconds, because a reply contains all jobs. */
export async function pollBatch(
  { call }: Transport,
  batchId: string,
  { signal, onUpdate }: PollBatchOptions = {},
): Promise<Batch> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * PAUSE_GROWTH, BATCH_PAUSE_MS)) {
    const batch = await call('getBatch', { params: { batchId }, budget: FOLLOW_BUDGET, signal });
    onUpdate?.(batch);
    if (hasEnded(batch)) return batch;
    await pause(pauseMs, signal);
  }
}
