import { setTimeout as delay } from 'node:timers/promises';
import type { JobView } from '../../src/wire/job.ts';
import { getJob, isFinal } from '../lib/api.ts';
import type { Board } from './board.ts';

const EVERY_MS = 200;
/** Far beyond what the demo takes on a slow machine; so that it ends if the service never does. */
const DEADLINE_MS = 10 * 60_000;

/** Asks for the status of the jobs until all have ended, showing each answer. Throws at the deadline or on abort. */
export async function follow(
  url: string,
  token: string,
  ids: readonly string[],
  board: Board,
  signal: AbortSignal,
): Promise<readonly JobView[]> {
  const deadline = performance.now() + DEADLINE_MS;
  const jobs: JobView[] = [];
  for (;;) {
    for (const [index, id] of ids.entries()) {
      const known = jobs[index];
      if (known !== undefined && isFinal(known)) continue;
      const job = await getJob(url, token, id);
      jobs[index] = job;
      board.show(index, job);
    }
    if (jobs.every(isFinal)) return jobs;
    if (performance.now() > deadline) throw new Error('The conversions did not end within ten minutes.');
    await delay(EVERY_MS, undefined, { signal });
  }
}
