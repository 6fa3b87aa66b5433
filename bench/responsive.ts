/**
 * `npm run bench:responsive`: measures the latency of `/health` and of a submission while conversions use all that the
 * default limits allow, in turns with the same service when idle.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getJob, isFinal, must } from '../scripts/lib/api.ts';
import { copySample } from '../scripts/lib/samples.ts';
import { bound, median, percentile, spread } from './support/figures.ts';
import { Connection } from './support/http.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { startBenchService } from './support/service.ts';

const ROUNDS = 7;
const SECONDS = 6;
/** The pause between requests to `/health`. */
const PAUSE_MS = 10;
/** One submission is sent per this number of requests to `/health`. */
const SUBMIT_EVERY = 4;
/** The time for greedy jobs to reach full load. */
const SWING_MS = 1500;

const endless = (input: string, parameters: object) => ({ inputs: [{ input, parameters }] });

/**
 * An encoder with many threads, a decompression bomb and an image that is scaled up, each as large as the default
 * limits allow. The inputs loop, so that no job ends by itself. With 64 threads, the encoder would exceed the memory
 * limit after some frames.
 */
const GREEDY = [
  {
    ...endless('movie.mp4', { stream_loop: '-1' }),
    parameters: { 'c:v': 'libx264', preset: 'placebo', threads: '32', an: '' },
  },
  {
    ...endless('bomb.png', { loop: '1' }),
    parameters: { vf: 'scale=64:64', 'c:v': 'mpeg4' },
  },
  {
    ...endless('movie.mp4', { stream_loop: '-1' }),
    parameters: { vf: 'scale=16384:8192', 'c:v': 'mjpeg', an: '' },
  },
];

/** A job that fails as soon as it starts, because its input does not exist: only the submission is measured. */
const SUBMISSION = JSON.stringify({ input: 'missing.mp4', output: 'out/never.mp4', parameters: { c: 'copy' } });

interface Latencies {
  readonly health: number[];
  readonly submit: number[];
}

const folder = benchFolder('responsive');
printMachine(folder);
await copySample('1080p', join(folder, 'media/movie.mp4'));
const black = [
  '-v',
  'error',
  '-f',
  'lavfi',
  '-i',
  'color=black:s=16384x8192:r=1',
  '-frames:v',
  '1',
  '-pix_fmt',
  'gray',
];
execFileSync('ffmpeg', [...black, join(folder, 'media/bomb.png')]);
const service = await startBenchService({ folder, env: { TELECINE_CONCURRENCY: String(GREEDY.length) } });
const { url, token } = service;
const connection = new Connection(url, token);

async function timed(path: string, body?: string): Promise<number> {
  const from = performance.now();
  await connection.send(path, body);
  return performance.now() - from;
}

async function measureLatencies(seconds: number): Promise<Latencies> {
  const found: Latencies = { health: [], submit: [] };
  const end = performance.now() + seconds * 1000;
  for (let i = 0; performance.now() < end; i++) {
    found.health.push(await timed('/health'));
    if (i % SUBMIT_EVERY === 0) found.submit.push(await timed('/api/conversion', SUBMISSION));
    await sleep(PAUSE_MS);
  }
  return found;
}

/** How often a round is repeated if a greedy job ended before the round did. */
const RETAKES = 3;

/**
 * Starts one greedy job of each kind, measures, and cancels them. If a job ended by itself, reports it and repeats the
 * round.
 */
async function measureUnderLoad(round: number, take = 0): Promise<Latencies> {
  const jobs: string[] = [];
  for (const [i, request] of GREEDY.entries()) {
    const body = { ...request, output: `out/${round}-${take}-${i}.mkv` };
    jobs.push((await must<{ jobId: string }>(`${url}/api/conversion`, { token, body })).jobId);
  }
  await sleep(SWING_MS);
  const found = await measureLatencies(SECONDS);
  const ended: string[] = [];
  for (const [i, jobId] of jobs.entries()) {
    const job = await getJob(url, token, jobId);
    if (isFinal(job)) ended.push(`greedy job ${i} is ${job.status}: ${JSON.stringify(job.error)}`);
    else await must(`${url}/api/conversion/${jobId}/cancel`, { token, method: 'POST' });
  }
  for (const jobId of jobs) while (!isFinal(await getJob(url, token, jobId))) await sleep(50);
  if (ended.length === 0) return found;
  const message = `Round ${round + 1}: ${ended.join('; ')}`;
  if (take === RETAKES) throw new Error(message);
  console.log(`${message}; repeated`);
  return measureUnderLoad(round, take + 1);
}

try {
  await measureLatencies(SECONDS / 2);
  const rounds: { readonly idle: Latencies; readonly busy: Latencies }[] = [];
  for (let i = 0; i < ROUNDS; i++)
    rounds.push({ idle: await measureLatencies(SECONDS), busy: await measureUnderLoad(i) });
  console.log(`${ROUNDS} rounds of ${SECONDS} s a side, ${GREEDY.length} greedy jobs at a time`);
  for (const what of ['health', 'submit'] as const)
    for (const share of [0.5, 0.99]) {
      const idle = rounds.map((round) => percentile(round.idle[what], share));
      const busy = rounds.map((round) => percentile(round.busy[what], share));
      const ratio = rounds.map((_, i) => (busy[i] ?? Number.NaN) / (idle[i] ?? Number.NaN));
      console.log(
        `${what.padEnd(6)} p${share * 100}: idle ${spread(idle, 2)} ms, under load ${spread(busy, 2)} ms; ` +
          `ratio ${spread(ratio, 1)}`,
      );
    }
  const submits = (side: 'idle' | 'busy', share: number) => rounds.map((one) => percentile(one[side].submit, share));
  bound('ms of a submission when idle, p50', submits('idle', 0.5), '<=', 2, 1);
  bound('ms of a submission beside three greedy jobs, p50', submits('busy', 0.5), '<=', 5, 1);
  console.log(
    `the longest /health under load: ${median(rounds.map(({ busy }) => Math.max(...busy.health))).toFixed(1)} ms`,
  );
} finally {
  connection.close();
  await service.stop();
}
