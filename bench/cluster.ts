/**
 * `npm run bench:cluster`: measures on PostgreSQL the time from the reply 202 to the start of ffmpeg. Also compares the conversions per
 * second of two workers with one core each and of one such worker, in turns.
 */
import { join } from 'node:path';
import { copySample } from '../scripts/lib/samples.ts';
import { startBenchPostgres } from './support/bench-postgres.ts';
import { bound, percentile, spread } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { startBenchService } from './support/service.ts';
import { serviceBlock } from './support/service-block.ts';
import { startDelays } from './support/start-delays.ts';
import { startBenchWorker } from './support/worker.ts';

const BLOCKS = 5;
const JOBS = 30;
const SAMPLES = 60;

/** A conversion of half a second on one core. */
const REQUEST = {
  input: 'in.mp4',
  format: 'mp4',
  parameters: { t: '3', vf: 'scale=320:-2', 'c:v': 'libx264', preset: 'veryfast', threads: '1', an: '' },
};

const folder = benchFolder('cluster');
printMachine(folder);
await using closers = new AsyncDisposableStack();
const postgres = await startBenchPostgres(closers, folder);

async function databaseSettings(name: string): Promise<Readonly<Record<string, string>>> {
  await postgres.sql(`create database ${name}`);
  return { TELECINE_DATABASE_URL: postgres.url(name), TELECINE_DATABASE_LISTEN_URL: postgres.url(name) };
}

/** Starts a worker on one core. */
const startWorker = async (core: number, mediaRoot: string, env: Readonly<Record<string, string>>) =>
  (await startBenchWorker(closers, { folder: join(folder, `worker-${core}`), mediaRoot, env, core })).stop;

const delays = await startDelays({
  folder: join(folder, 'delays'),
  sandbox: 'required',
  samples: SAMPLES,
  env: await databaseSettings('delays'),
});
console.log(`from the 202 to the start of ffmpeg, ${SAMPLES} jobs: ${spread(delays, 1)} ms`);

const env = await databaseSettings('workers');
const mediaRoot = join(folder, 'front/media');
await copySample('480p', join(mediaRoot, 'in.mp4'));
// An API server becomes ready only when a worker is registered.
const stopRegistered = await startWorker(0, mediaRoot, env);
const front = await startBenchService({ folder: join(folder, 'front'), args: ['--no-worker'], env });
closers.defer(() => front.stop());
await stopRegistered();
const seconds: { one: number; two: number }[] = [];
for (let i = -1; i < BLOCKS; i++) {
  const stopFirst = await startWorker(0, mediaRoot, env);
  const one = await serviceBlock(front, REQUEST, JOBS, `${i}-one`);
  const stopSecond = await startWorker(1, mediaRoot, env);
  const two = await serviceBlock(front, REQUEST, JOBS, `${i}-two`);
  await Promise.all([stopFirst(), stopSecond()]);
  // Discard the first block, which warms up caches.
  if (i >= 0) seconds.push({ one, two });
}
console.log(
  `one worker   ${spread(
    seconds.map(({ one }) => one),
    2,
  )} s for ${JOBS} conversions`,
);
console.log(
  `two workers  ${spread(
    seconds.map(({ two }) => two),
    2,
  )} s`,
);
bound('median milliseconds from the 202 to ffmpeg', delays, '<=', 50, 1);
bound('99th percentile of them', percentile(delays, 0.99), '<=', 250, 1);
bound(
  'conversions a second of two workers, of one',
  seconds.map(({ one, two }) => one / two),
  '>=',
  1.8,
);
