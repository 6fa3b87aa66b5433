/**
 * `npm run bench:chunks`: converts a video of a minute with x264 on one thread, in turns: whole on one worker, in chunks on
 * the same worker, and in chunks on two workers with a core each. Also measures the processor time that a chunk adds.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getJob, isFinal, must } from '../scripts/lib/api.ts';
import { samplePath } from '../scripts/lib/samples.ts';
import { startBenchPostgres } from './support/bench-postgres.ts';
import { bound, median, spread } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { placeCatalogue } from './support/place-catalogue.ts';
import { startBenchService } from './support/service.ts';
import { type BenchWorker, startBenchWorker } from './support/worker.ts';

const ROUNDS = 3;
const CHUNK_SECONDS = 5;

const REQUEST = {
  input: 'in.mp4',
  format: 'mp4',
  // One thread: the whole video then uses one core, as a chunk does.
  parameters: { 'c:v': 'libx264', preset: 'medium', crf: '23', threads: '1', 'c:a': 'aac' },
};

const folder = benchFolder('chunks');
printMachine(folder);
await using closers = new AsyncDisposableStack();
const postgres = await startBenchPostgres(closers, folder);
await postgres.sql('create database chunks');
const env = {
  TELECINE_DATABASE_URL: postgres.url('chunks'),
  TELECINE_DATABASE_LISTEN_URL: postgres.url('chunks'),
};
const mediaRoot = join(folder, 'front/media');

/** Writes the sample twice, as one video of 640×360 with a key frame every second or so. */
function makeVideo(): void {
  const video = ['-vf', 'scale=640:360', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-g', '24'];
  mkdirSync(mediaRoot, { recursive: true });
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-nostdin', '-stream_loop', '1', '-i', samplePath('480p')],
    ...[...video, '-c:a', 'aac', join(mediaRoot, 'in.mp4')],
  ]);
}

makeVideo();
for (const name of ['worker-0', 'worker-1']) await placeCatalogue(join(folder, name));
/** Starts a worker with one slot on one core. */
const startWorker = (core: number): Promise<BenchWorker> =>
  startBenchWorker(closers, { folder: join(folder, `worker-${core}`), mediaRoot, env, core });

const CLOCK_TICKS_A_SECOND = 100;

/** The seconds of processor time of a worker, with all programs that it started and that have ended. */
function processorSeconds({ child }: BenchWorker): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) / CLOCK_TICKS_A_SECOND;
}

interface Conversion {
  readonly seconds: number;
  readonly processor: number;
  readonly chunks: number;
}

const first = await startWorker(0);
const { url, token, stop } = await startBenchService({ folder: join(folder, 'front'), args: ['--no-worker'], env });
closers.defer(stop);

/** Converts the video. The time is that from the start to the end of the job. */
async function convert(output: string, chunks: object | 'off', workers: readonly BenchWorker[]): Promise<Conversion> {
  const before = workers.map(processorSeconds);
  const body = { ...REQUEST, output, chunks };
  const { jobId } = await must<{ jobId: string }>(`${url}/api/conversion`, { token, body });
  let count = 0;
  let job = await getJob(url, token, jobId);
  for (; !isFinal(job); job = await getJob(url, token, jobId)) {
    count = Math.max(count, job.encodedChunks?.total ?? 0);
    await sleep(250);
  }
  if (job.status !== 'COMPLETED' || (chunks !== 'off' && job.warnings !== undefined))
    throw new Error(`Job ${jobId}: ${JSON.stringify(job)}`);
  // Let the workers remove the files of the job.
  await sleep(500);
  const processor = workers.reduce((sum, worker, i) => sum + processorSeconds(worker) - (before[i] ?? 0), 0);
  return {
    seconds: (Date.parse(job.completedAt ?? '') - Date.parse(job.startedAt ?? '')) / 1000,
    processor,
    chunks: count,
  };
}

const rounds: { whole: Conversion; one: Conversion; two: Conversion }[] = [];
const CHUNKS = { seconds: CHUNK_SECONDS };
for (let i = 0; i < ROUNDS; i++) {
  const whole = await convert(`${i}-whole.mp4`, 'off', [first]);
  const one = await convert(`${i}-one.mp4`, CHUNKS, [first]);
  const second = await startWorker(1);
  const two = await convert(`${i}-two.mp4`, CHUNKS, [first, second]);
  await second.stop();
  rounds.push({ whole, one, two });
}

for (const side of ['whole', 'one', 'two'] as const) {
  const conversions = rounds.map((round) => round[side]);
  const values = (of: (conversion: Conversion) => number): string => spread(conversions.map(of), 2);
  const name = { whole: 'whole, one worker', one: 'chunks, one worker', two: 'chunks, two workers' }[side];
  console.log(`${name.padEnd(20)} ${values((c) => c.seconds)} s, processor ${values((c) => c.processor)} s`);
}
const chunks = median(rounds.map(({ one }) => one.chunks));
console.log(`${chunks} chunks of ${CHUNK_SECONDS} s, with the one of the audio`);
bound(
  'two workers, of the whole on one',
  rounds.map(({ whole, two }) => whole.seconds / two.seconds),
  '>=',
  1.8,
);
console.log(
  `two workers, of chunks on one: ${spread(
    rounds.map(({ one, two }) => one.seconds / two.seconds),
    2,
  )}`,
);
bound(
  'milliseconds of processor time that a chunk adds, one worker',
  rounds.map(({ whole, one }) => ((one.processor - whole.processor) * 1000) / one.chunks),
  '<=',
  150,
  0,
);
console.log(
  `milliseconds of processor time that a chunk adds, two workers: ${spread(rounds.map(({ whole, two }) => ((two.processor - whole.processor) * 1000) / two.chunks))}`,
);
