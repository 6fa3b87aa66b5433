/**
 * `npm run bench:light`: measures the time from the reply 202 for a thumbnail to its start and to its end, while films use all slots and
 * more films are queued. Compares it with the same service when idle.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobView } from '../packages/contract/src/wire/job.ts';
import { getJob, isFinal, must } from '../scripts/lib/api.ts';
import { copySample } from '../scripts/lib/samples.ts';
import { bound, median, spread } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { startBenchService } from './support/service.ts';

const SLOTS = 2;
const FILMS = 3 * SLOTS;
const SAMPLES = 15;

const folder = benchFolder('light');
printMachine(folder);
await copySample('480p', join(folder, 'media/in.mp4'));
const { url, token, stop } = await startBenchService({
  folder,
  env: { TELECINE_CONCURRENCY: String(SLOTS), TELECINE_SANDBOX: 'required' },
});
const submit = async (body: object): Promise<string> =>
  (await must<{ jobId: string }>(`${url}/api/conversion`, { token, body })).jobId;

async function waitFor(jobId: string, isReached: (job: JobView) => boolean): Promise<JobView> {
  for (;;) {
    const job = await getJob(url, token, jobId);
    if (isReached(job)) return job;
    if (isFinal(job)) throw new Error(`Job ${jobId}: ${JSON.stringify(job.error)}`);
    await sleep(20);
  }
}

/** Runs thumbnails one after the other. Prints and returns the milliseconds from the acceptance to the start of each. */
async function thumbnails(side: string): Promise<readonly number[]> {
  const starts: number[] = [];
  const ends: number[] = [];
  for (let i = -1; i < SAMPLES; i++) {
    const parameters = { 'frames:v': '1', vf: 'scale=320:-2', update: '1' };
    const jobId = await submit({ input: 'in.mp4', output: `${side}/${i}.jpg`, parameters });
    const job = await waitFor(jobId, ({ status }) => status === 'COMPLETED');
    const since = (at: string | undefined): number => Date.parse(at ?? '') - Date.parse(job.createdAt);
    // Discard the first thumbnail, for which files are not in the page cache yet.
    if (i >= 0) {
      starts.push(since(job.startedAt));
      ends.push(since(job.completedAt));
    }
    // Vary the pause, so that it is not synchronous with the worker, which polls once a second.
    await sleep(100 + ((i * 37) % 90));
  }
  console.log(`${side}: ${spread(starts)} ms to the start, ${spread(ends)} ms to the end of a thumbnail`);
  return starts;
}

try {
  await thumbnails('idle');
  const film = {
    inputs: [{ input: 'in.mp4', parameters: { stream_loop: '-1' } }],
    parameters: { 'c:v': 'libx264', preset: 'veryslow', t: '3600', an: '' },
  };
  const films: string[] = [];
  for (let i = 0; i < FILMS; i++) films.push(await submit({ ...film, output: `films/${i}.mkv` }));
  for (const jobId of films.slice(0, SLOTS)) await waitFor(jobId, ({ phase }) => phase === 'CONVERTING');
  const starts = await thumbnails('full of films');
  for (const [index, jobId] of films.entries()) {
    const { status } = await getJob(url, token, jobId);
    if (status !== (index < SLOTS ? 'PROCESSING' : 'PENDING')) throw new Error(`Film ${index} is ${status}.`);
  }
  for (const jobId of films.toReversed())
    await must(`${url}/api/conversion/${jobId}/cancel`, { method: 'POST', token });
  bound('milliseconds from the acceptance of a thumbnail to its start, among films', median(starts), '<=', 1000, 0);
} finally {
  await stop();
}
