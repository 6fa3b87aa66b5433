/**
 * `npm run bench:worker`: measures on PostgreSQL the time from the start of a worker from the sources to the end of the first job of a
 * service without ffmpeg. Three cases take turns: an empty database, an empty database while other programs keep all processors busy, and a
 * database with the catalogue of the build.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getJob, isFinal } from '../scripts/lib/api.ts';
import { copySample } from '../scripts/lib/samples.ts';
import { endWithTests } from '../test/support/end-with-tests.ts';
import { startBenchPostgres } from './support/bench-postgres.ts';
import { bound, spread } from './support/figures.ts';
import { Connection } from './support/http.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { cpuSeconds } from './support/processes.ts';
import { type BenchService, startBenchService } from './support/service.ts';
import { startBenchWorker } from './support/worker.ts';

const ROUNDS = 5;
const SOURCE = resolve(import.meta.dirname, '../packages/cli/src/main.ts');
const LOOK_EVERY_MS = 20;
const PATIENCE_MS = 120_000;

/** Its values are checked by the options of the encoder. */
const REQUEST = {
  input: 'in.mp4',
  parameters: {
    t: '1',
    vf: 'scale=320:-2',
    'c:v': 'libx264',
    crf: '28',
    preset: 'ultrafast',
    'c:a': 'aac',
    'b:a': '96k',
  },
};

interface Times {
  /** Milliseconds from the start of the worker. */
  readonly ready: number;
  readonly accepted: number;
  readonly completed: number;
  /** The processor time of the worker itself until the job is completed. */
  readonly ownCpu: number;
}

const folder = benchFolder('fresh-worker');
printMachine(folder);
await using closers = new AsyncDisposableStack();
const postgres = await startBenchPostgres(closers, folder);

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(LOOK_EVERY_MS)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} took more than ${PATIENCE_MS} ms.`);
}

/** Starts a worker beside a service, and runs a job. */
async function firstJob(service: BenchService, dataDir: string, env: Readonly<Record<string, string>>): Promise<Times> {
  mkdirSync(dataDir);
  const log = openSync(`${dataDir}.log`, 'w');
  const connection = new Connection(service.url, service.token);
  const start = performance.now();
  const child = spawn(process.execPath, [SOURCE, 'worker'], {
    env: {
      ...process.env,
      ...env,
      TELECINE_PORT: '0',
      TELECINE_DATA_DIR: dataDir,
      TELECINE_MEDIA_ROOT: service.mediaRoot,
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  endWithTests(child);
  const since = (): number => performance.now() - start;
  try {
    await until('/ready', async () => ((await fetch(`${service.url}/ready`)).status === 200 ? true : undefined));
    const ready = since();
    const { text } = await connection.send(
      '/api/conversion',
      JSON.stringify({ ...REQUEST, output: `${Date.now()}.mp4` }),
    );
    const { jobId } = JSON.parse(text) as { jobId?: string };
    if (jobId === undefined) throw new Error(text);
    const accepted = since();
    const { status, error } = await until('The job', async () => {
      const job = await getJob(service.url, service.token, jobId);
      return isFinal(job) ? job : undefined;
    });
    if (status !== 'COMPLETED') throw new Error(JSON.stringify(error));
    return { ready, accepted, completed: since(), ownCpu: cpuSeconds(child.pid ?? 0) * 1000 };
  } finally {
    connection.close();
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
}

async function start(name: string): Promise<{ readonly service: BenchService; readonly env: Record<string, string> }> {
  await postgres.sql(`create database ${name}`);
  const env = { TELECINE_DATABASE_URL: postgres.url(name) };
  const service = await startBenchService({
    folder: join(folder, name),
    args: ['--no-worker'],
    env,
    until: 'listening',
  });
  await copySample('480p', join(service.mediaRoot, 'in.mp4'));
  return { service, env };
}

/** Starts a service whose database has the catalogue, from a worker that has ended. */
async function known(name: string) {
  const started = await start(name);
  const first = join(folder, `${name}-first`);
  const worker = await startBenchWorker(closers, {
    folder: first,
    mediaRoot: started.service.mediaRoot,
    env: started.env,
  });
  await until('The catalogue', async () => {
    const reply = await fetch(`${started.service.url}/ready`);
    const { checks } = (await reply.json()) as { checks: { workers?: { message?: string } } };
    return reply.status === 200 && checks.workers?.message === undefined ? true : undefined;
  });
  await worker.stop();
  return started;
}

/** Keeps all processors busy until the returned function is called. */
function keepBusy(): () => void {
  const spinners = Array.from({ length: availableParallelism() }, () => {
    const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    endWithTests(child);
    return child;
  });
  return () => {
    for (const child of spinners) child.kill('SIGKILL');
  };
}

type Side = 'empty' | 'busy' | 'known';
const times: Readonly<Record<Side, Times>>[] = [];
for (let i = 0; i < ROUNDS; i++) {
  const sides = { empty: await start(`empty${i}`), busy: await start(`busy${i}`), known: await known(`known${i}`) };
  const measure = async (side: Side): Promise<Times> => {
    const { service, env } = sides[side];
    const rest = side === 'busy' ? keepBusy() : undefined;
    try {
      return await firstJob(service, join(folder, `${side}${i}-worker`), env);
    } finally {
      rest?.();
      await service.stop();
    }
  };
  times.push({ empty: await measure('empty'), busy: await measure('busy'), known: await measure('known') });
}
for (const side of ['empty', 'busy', 'known'] as const) {
  const of = (figure: keyof Times): string => spread(times.map((one) => one[side][figure]));
  console.log(
    `${side}  ready ${of('ready')} ms, accepted ${of('accepted')} ms, completed ${of('completed')} ms; ` +
      `${of('ownCpu')} ms of processor of the worker`,
  );
}
const seconds = (side: Side, figure: 'accepted' | 'completed' = 'completed'): readonly number[] =>
  times.map((one) => one[side][figure] / 1000);
bound('seconds from the start of a worker to its first job, empty database', seconds('empty'), '<=', 10, 1);
// Conversions have a niceness of 19 and get only the processor time that other programs leave, so the end of the job has no bound.
bound(
  'seconds until its first job is accepted while the processors are busy',
  seconds('busy', 'accepted'),
  '<=',
  10,
  1,
);
bound('seconds to its first job with the catalogue in the database', seconds('known'), '<=', 10, 1);
