import { setTimeout as sleep } from 'node:timers/promises';
import { getJob, isFinal, must } from '../../scripts/lib/api.ts';
import type { BenchService } from './service.ts';

/**
 * The seconds from the first submission to the end of the last of `jobs` conversions. All are submitted at once. Then
 * each is polled, four times a second, until it has ended; the time of the end comes from the job itself.
 *
 * @param request The body without its output.
 * @param name Names the outputs; unique for each block.
 */
export async function serviceBlock(
  { url, token }: Pick<BenchService, 'url' | 'token'>,
  request: object,
  jobs: number,
  name: string,
): Promise<number> {
  const start = performance.timeOrigin + performance.now();
  const accepted = await Promise.all(
    Array.from({ length: jobs }, (_, i) =>
      must<{ jobId: string }>(`${url}/api/conversion`, { token, body: { ...request, output: `out/${name}-${i}.mp4` } }),
    ),
  );
  let end = start;
  for (const { jobId } of accepted) {
    let job = await getJob(url, token, jobId);
    for (; !isFinal(job); job = await getJob(url, token, jobId)) await sleep(250);
    if (job.status !== 'COMPLETED') throw new Error(`Job ${jobId}: ${JSON.stringify(job.error)}`);
    end = Math.max(end, Date.parse(job.completedAt ?? ''));
  }
  return (end - start) / 1000;
}
