import { setTimeout as delay } from 'node:timers/promises';
import { jobPath } from '../wire/endpoints.ts';
import type { JobView } from '../wire/job.ts';
import { orAborted } from './abort.ts';
import type { Patience } from './retry.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface WaitOptions extends CallOptions {
  /** Called with each answer, the last one too. */
  readonly onUpdate?: ((job: JobView) => void) | undefined;
}

const FIRST_MS = 150;
const MOST_MS = 1000;
const SLOWER = 1.4;

/** A service that is started anew, or moved, goes on with its jobs: it is waited for. */
const PATIENCE: Patience = { busySeconds: 300, lostSeconds: 120 };

export const hasEnded = ({ status }: JobView): boolean =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED';

/** The job once it has ended, however it ended. Asks at first often, then once a second. */
export async function waitForJob(
  { call }: Transport,
  jobId: string,
  { signal, onUpdate }: WaitOptions = {},
): Promise<JobView> {
  for (let pause = FIRST_MS; ; pause = Math.min(pause * SLOWER, MOST_MS)) {
    const job = await call(
      { path: jobPath(jobId), patience: PATIENCE, signal },
      (answer) => answer.json() as Promise<JobView>,
    );
    onUpdate?.(job);
    if (hasEnded(job)) return job;
    await orAborted(delay(pause), signal);
  }
}
