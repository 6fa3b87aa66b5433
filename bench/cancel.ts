/**
 * `npm run bench:cancel`: cancels a job that several workers encode in chunks, at a random moment, and measures from the reply until no
 * process of ffmpeg is left. Each chunk would take minutes.
 *
 * Options: `--rounds 20`, `--workers 4`.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { adminLogin, getJob, isFinal, must } from '../scripts/lib/api.ts';
import { copySample } from '../scripts/lib/samples.ts';
import { scratchProcesses } from '../test/support/scratch-processes.ts';
import { startBenchPostgres } from './support/bench-postgres.ts';
import { bound, spread } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { startBenchService } from './support/service.ts';
import { startBenchWorker } from './support/worker.ts';

const { values: args } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, workers: { type: 'string', default: '4' } },
});
const [ROUNDS, WORKERS] = [Number(args.rounds), Number(args.workers)];
const PATIENCE_MS = 60_000;
/** Workers look at a cancelled job once a second, so a job is cancelled at any moment of one. */
const PERIOD_MS = 1000;

const REQUEST = {
  input: 'in.mp4',
  // Slow, but with little memory, since all workers encode at once.
  parameters: { 'c:v': 'libx264', preset: 'placebo', vf: 'scale=1920:-2', an: '' },
  chunks: { seconds: 2 },
};

const folder = benchFolder('cancel');
printMachine(folder);
await using closers = new AsyncDisposableStack();
const postgres = await startBenchPostgres(closers, folder);
await postgres.sql('create database cancel');
const env = { TELECINE_DATABASE_URL: postgres.url('cancel'), TELECINE_DATABASE_LISTEN_URL: postgres.url('cancel') };
const front = join(folder, 'front');
const mediaRoot = join(front, 'media');
await copySample('480p', join(mediaRoot, 'in.mp4'));
for (let i = 0; i < WORKERS; i++) {
  const data = join(folder, `worker-${i}`);
  await startBenchWorker(closers, { folder: data, mediaRoot, env });
}
const { url, stop } = await startBenchService({ folder: front, args: ['--no-worker'], env });
closers.defer(stop);

async function until(what: string, isReached: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(20))
    if (await isReached()) return;
  throw new Error(`After ${PATIENCE_MS / 1000} s, ${what}.`);
}

const encoders = async (): Promise<number> =>
  (await scratchProcesses(mediaRoot)).filter(({ command }) => /^\S*ffmpeg -nostdin /.test(command)).length;

interface Ending {
  /** Seconds from the reply to the request to cancel. */
  readonly processes: number;
  readonly job: number;
}

async function cancelOne(round: number): Promise<Ending> {
  // A token is valid for less time than the bench takes.
  const { accessToken: token } = await adminLogin(url, join(front, 'data'));
  const body = { ...REQUEST, output: `${round}.mp4` };
  const { jobId } = await must<{ jobId: string }>(`${url}/api/conversion`, { token, body });
  await until('not all workers encode', async () => (await encoders()) >= WORKERS);
  await sleep(Math.random() * PERIOD_MS);
  await must(`${url}/api/conversion/${jobId}/cancel`, { token, method: 'POST' });
  const cancelledAt = performance.now();
  const since = (): number => (performance.now() - cancelledAt) / 1000;
  const jobEnds = until('the job has not ended', async () => isFinal(await getJob(url, token, jobId))).then(since);
  await until('ffmpeg still runs', async () => (await scratchProcesses(mediaRoot)).length === 0);
  const processes = since();
  const ending = { processes, job: await jobEnds };
  console.log(`${round}: all processes after ${processes.toFixed(2)} s, the job after ${ending.job.toFixed(2)} s`);
  return ending;
}

const endings: Ending[] = [];
for (let round = 0; round < ROUNDS; round++) endings.push(await cancelOne(round));
console.log(
  `the end of the job: ${spread(
    endings.map(({ job }) => job),
    2,
  )} s`,
);
const slowest = Math.max(...endings.map(({ processes }) => processes));
console.log(
  `the end of all processes: ${spread(
    endings.map(({ processes }) => processes),
    2,
  )} s`,
);
bound(`seconds until all ${WORKERS} workers have ended a cancelled job, the longest of ${ROUNDS}`, slowest, '<=', 2);
