import type { TelecineClient } from '../../packages/client/src/telecine-client.ts';
import { EXAMPLE } from './example.ts';

/** The number of jobs in one batch. */
const AT_ONCE = 100;

/** Submits jobs that never run, because the service runs none. Returns their ids. */
export async function submitJobs(
  client: Pick<TelecineClient, 'submitBatch'>,
  count: number,
): Promise<readonly string[]> {
  const jobIds: string[] = [];
  while (jobIds.length < count) {
    const size = Math.min(AT_ONCE, count - jobIds.length);
    const requests = Array.from({ length: size }, (_, i) => ({
      ...EXAMPLE,
      output: `out/${jobIds.length + i}-${Date.now()}.mp4`,
    }));
    const { jobs } = await client.submitBatch(requests);
    jobIds.push(...jobs.map(({ jobId }) => jobId));
  }
  return jobIds;
}
