/**
 * `npm run bench:workers`: measures the cost of workers for PostgreSQL, by the number of workers: transactions and processor time, when
 * idle and for each job, with LISTEN. Jobs come one at a time, so that all workers but one are idle. `-- --workers 1,8 --poll` sets the
 * numbers of workers and omits LISTEN.
 */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { descendants } from '../packages/ffmpeg/src/process/process-tree.ts';
import { copySample } from '../scripts/lib/samples.ts';
import { startBenchPostgres } from './support/bench-postgres.ts';
import { median } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { cpuSeconds } from './support/processes.ts';
import { startBenchService } from './support/service.ts';
import { serviceBlock } from './support/service-block.ts';
import { startBenchWorker } from './support/worker.ts';

const IDLE_SECONDS = 20;
const JOBS = 20;

/** A conversion of some milliseconds. */
const REQUEST = { input: 'in.mp4', format: 'mp4', parameters: { t: '0.2', c: 'copy' } };

const { values } = parseArgs({
  options: { workers: { type: 'string', default: '1,4,8' }, poll: { type: 'boolean', default: false } },
});
const numbers = values.workers.split(',').map(Number);

const folder = benchFolder('workers');
printMachine(folder);
await using closers = new AsyncDisposableStack();
const postgres = await startBenchPostgres(closers, folder);
await postgres.sql('create database bench');
const url = postgres.url('bench');
const env = { TELECINE_DATABASE_URL: url, ...(!values.poll && { TELECINE_DATABASE_LISTEN_URL: url }) };
const mediaRoot = join(folder, 'front/media');
await copySample('480p', join(mediaRoot, 'in.mp4'));

async function startWorker(index: number): Promise<ChildProcess> {
  const own = join(folder, `worker-${index}`);
  return (await startBenchWorker(closers, { folder: own, mediaRoot, env })).child;
}

const postmaster = Number(readFileSync(join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
const client = new Client({ connectionString: postgres.url('postgres') });
await client.connect();
closers.defer(() => client.end());

interface Cost {
  readonly transactions: number;
  readonly postgresSeconds: number;
  readonly workerSeconds: number;
}

async function countCost(workers: readonly ChildProcess[]): Promise<Cost> {
  // Wait, because a PostgreSQL backend reports its counts only after a second without work.
  await sleep(1500);
  const { rows } = await client.query(
    `select xact_commit + xact_rollback as sum from pg_stat_database where datname = 'bench'`,
  );
  const seconds = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  return {
    transactions: Number(rows[0]?.sum),
    postgresSeconds: seconds([postmaster, ...(await descendants(postmaster))]),
    workerSeconds: seconds(workers.flatMap(({ pid }) => pid ?? [])),
  };
}

async function costOf(workers: readonly ChildProcess[], run: () => Promise<void>): Promise<Cost & { seconds: number }> {
  const before = await countCost(workers);
  const start = performance.now();
  await run();
  const after = await countCost(workers);
  return {
    transactions: after.transactions - before.transactions,
    postgresSeconds: after.postgresSeconds - before.postgresSeconds,
    workerSeconds: after.workerSeconds - before.workerSeconds,
    seconds: (performance.now() - start) / 1000,
  };
}

const workers: ChildProcess[] = [await startWorker(0)];
// An API server becomes ready only when a worker is registered.
const front = await startBenchService({ folder: join(folder, 'front'), args: ['--no-worker'], env });
closers.defer(() => front.stop());
const rows: Record<string, unknown>[] = [];
for (const number of numbers) {
  while (workers.length < number) workers.push(await startWorker(workers.length));
  await serviceBlock(front, REQUEST, number, `warm-${number}`);
  // Wait until the work of the start is done, so that it is not measured.
  await sleep(20_000);
  const idle = await costOf(workers, () => sleep(IDLE_SECONDS * 1000));
  const latencies: number[] = [];
  const busy = await costOf(workers, async () => {
    for (let job = 0; job < JOBS; job += 1)
      latencies.push(1000 * (await serviceBlock(front, REQUEST, 1, `${number}-${job}`)));
  });
  const beyondIdle = (key: 'transactions' | 'postgresSeconds' | 'workerSeconds'): number =>
    (busy[key] - (idle[key] / idle.seconds) * busy.seconds) / JOBS;
  rows.push({
    workers: number,
    'idle: transactions a second, each worker': (idle.transactions / idle.seconds / number).toFixed(1),
    'idle: ms of PostgreSQL a second': ((1000 * idle.postgresSeconds) / idle.seconds).toFixed(0),
    'a job: transactions': beyondIdle('transactions').toFixed(1),
    'a job: ms of PostgreSQL': (1000 * beyondIdle('postgresSeconds')).toFixed(0),
    'a job: ms of workers': (1000 * beyondIdle('workerSeconds')).toFixed(0),
    'a job: ms to its end': median(latencies).toFixed(0),
  });
}
console.table(rows);
