import { setTimeout as delay } from 'node:timers/promises';
import { getJob, isFinal } from '../../scripts/lib/api.ts';
import type { JobView } from '../../src/wire/job.ts';
import type { TestServer } from './server.ts';

/** Between two looks. */
const EVERY_MS = 50;

/** Looks until `look` gives something; throws with `what` at the deadline. */
export async function until<T>(what: string, look: () => Promise<T | undefined>, seconds = 60): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > deadline) throw new Error(`Waited ${seconds} s in vain for ${what}`);
    await delay(EVERY_MS);
  }
}

type Api = Pick<TestServer, 'url' | 'adminToken'>;

/** Asks for the job until it is as `wanted` says; by default until it has ended. Returns it as it then is. */
export async function waitForJob(
  server: Api,
  jobId: string,
  { wanted = isFinal, seconds = 60 }: { wanted?: (job: JobView) => boolean; seconds?: number } = {},
): Promise<JobView> {
  let last: JobView | undefined;
  try {
    return await until(
      `job ${jobId}`,
      async () => {
        last = await getJob(server.url, await server.adminToken(), jobId);
        return wanted(last) ? last : undefined;
      },
      seconds,
    );
  } catch (cause) {
    throw new Error(`Job ${jobId} was last seen as ${JSON.stringify(last)}`, { cause });
  }
}
