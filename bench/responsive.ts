/**
 * How soon `/health` and a submission are answered while conversions take all that the default policy gives them,
 * against the same service with nothing to do: `npm run bench:responsive`. Both sides take turns on one service.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getJob, isFinal, must } from '../scripts/lib/api.ts';
import { copySample } from '../scripts/lib/samples.ts';
import { median, percentile, spread } from './support/figures.ts';
import { Connection } from './support/http.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { startBenchService } from './support/service.ts';

const ROUNDS = 7;
const SECONDS = 6;
/** Between one look and the next. */
const PAUSE_MS = 10;
/** Of so many looks one is followed by a submission. */
const SUBMIT_EVERY = 4;
/** For greedy jobs to be in full swing. */
const SWING_MS = 1500;

const endless = (input: string, parameters: object) => ({ inputs: [{ input, parameters }] });

/**
 * An encoder of many threads, a decompression bomb and a picture blown up, as large as the default limits let them be,
 * again and again: none ends by itself. With 64 threads the encoder meets the limit of memory after some frames.
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

/** Fails as soon as it is begun, for there is no such file: what is measured is that it is taken. */
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

async function look(seconds: number): Promise<Latencies> {
  const found: Latencies = { health: [], submit: [] };
  const end = performance.now() + seconds * 1000;
  for (let i = 0; performance.now() < end; i++) {
    found.health.push(await timed('/health'));
    if (i % SUBMIT_EVERY === 0) found.submit.push(await timed('/api/conversion', SUBMISSION));
    await sleep(PAUSE_MS);
  }
  return found;
}

/** How often a round is taken anew because a greedy job ended in it. */
const RETAKES = 3;

/** Starts one of each kind, looks, and ends them. A round in which one ended by itself is told, and is taken anew. */
async function beside(round: number, take = 0): Promise<Latencies> {
  const jobs: string[] = [];
  for (const [i, request] of GREEDY.entries()) {
    const body = { ...request, output: `out/${round}-${take}-${i}.mkv` };
    jobs.push((await must<{ jobId: string }>(`${url}/api/conversion`, { token, body })).jobId);
  }
  await sleep(SWING_MS);
  const found = await look(SECONDS);
  const ended: string[] = [];
  for (const [i, jobId] of jobs.entries()) {
    const job = await getJob(url, token, jobId);
    if (isFinal(job)) ended.push(`greedy job ${i} is ${job.status}: ${JSON.stringify(job.error)}`);
    else await must(`${url}/api/conversion/${jobId}/cancel`, { token, method: 'POST' });
  }
  for (const jobId of jobs) while (!isFinal(await getJob(url, token, jobId))) await sleep(50);
  if (ended.length === 0) return found;
  const told = `Round ${round + 1}: ${ended.join('; ')}`;
  if (take === RETAKES) throw new Error(told);
  console.log(`${told}; taken anew`);
  return beside(round, take + 1);
}

try {
  await look(SECONDS / 2);
  const rounds: { readonly idle: Latencies; readonly busy: Latencies }[] = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push({ idle: await look(SECONDS), busy: await beside(i) });
  console.log(`${ROUNDS} rounds of ${SECONDS} s a side, ${GREEDY.length} greedy jobs at a time`);
  for (const what of ['health', 'submit'] as const)
    for (const share of [0.5, 0.99]) {
      const idle = rounds.map((round) => percentile(round.idle[what], share));
      const busy = rounds.map((round) => percentile(round.busy[what], share));
      const ratio = rounds.map((_, i) => (busy[i] ?? Number.NaN) / (idle[i] ?? Number.NaN));
      console.log(
        `${what.padEnd(6)} p${share * 100}: idle ${spread(idle, 2)} ms, beside greedy jobs ${spread(busy, 2)} ms; ` +
          `ratio ${spread(ratio, 1)}`,
      );
    }
  console.log(
    `the longest /health beside them: ${median(rounds.map(({ busy }) => Math.max(...busy.health))).toFixed(1)} ms`,
  );
} finally {
  connection.close();
  await service.stop();
}
