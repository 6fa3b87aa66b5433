/**
 * `npm run bench:backlog`: measures the cost of a long queue: claim, status and list with few and with many stored jobs.
 * Also measures how soon a service is ready, and its memory when idle. `-- --postgres` measures claims on PostgreSQL instead,
 * `-- --cancels` the end of 100,000 queued jobs on it, `-- --clients` the queues of 500 clients on both engines.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobListView } from '../packages/contract/src/wire/job.ts';
import { Backlog } from './support/backlog.ts';
import { benchClientBacklog } from './support/client-backlog.ts';
import { bound, median, spread } from './support/figures.ts';
import { Connection } from './support/http.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { benchPostgresCancels } from './support/postgres-cancels.ts';
import { benchPostgresClaims } from './support/postgres-claims.ts';
import { residentMegabytes } from './support/processes.ts';
import { type BenchService, startBenchService } from './support/service.ts';

const SIZES = [0, 10_000, 1_000_000] as const;
/** The number of jobs in the small store, so that a list has a page to return. */
const FEW = 100;
const ROUNDS = 7;
const CALLS = 100;
const STARTS = 7;
const SETTLE_MS = 3000;

const LATENCIES = ['claim', 'status', 'list', 'list by status'] as const;
type Latency = (typeof LATENCIES)[number];

interface Side {
  readonly folder: string;
  readonly size: number;
  readonly service: BenchService;
  readonly backlog: Backlog;
  readonly connection: Connection;
  /** The medians of the rounds in milliseconds. */
  readonly figures: Record<Latency, number[]>;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

/** The median time of many consecutive calls. */
async function medianOf(act: () => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < CALLS; i++) all.push(await act());
  return median(all);
}

async function open(folder: string, size: number): Promise<Side> {
  const service = await startBenchService({ folder, args: ['--no-worker'] });
  return {
    folder,
    size,
    service,
    backlog: await Backlog.open(join(folder, 'data')),
    connection: new Connection(service.url, service.token),
    figures: { claim: [], status: [], list: [], 'list by status': [] },
  };
}

async function round({ backlog, connection, figures }: Side): Promise<void> {
  const list = await connection.send('/api/conversion?limit=50');
  const { jobs } = JSON.parse(list.text) as JobListView;
  const oldest = jobs.at(-1)?.jobId;
  const acts: Record<Latency, () => Promise<number>> = {
    claim: async () => {
      await backlog.add(1, 'zoe');
      return backlog.claim();
    },
    status: () => timed(() => connection.send(`/api/conversion/${oldest}`)),
    list: () => timed(() => connection.send('/api/conversion?limit=50')),
    'list by status': () => timed(() => connection.send('/api/conversion?limit=50&status=PENDING')),
  };
  for (const what of LATENCIES) figures[what].push(await medianOf(acts[what]));
}

async function latencies(sides: readonly Side[]): Promise<void> {
  for (let i = 0; i <= ROUNDS; i++) for (const side of sides) await round(side);
  for (const { figures } of sides) for (const what of LATENCIES) figures[what].shift();
  for (const what of LATENCIES) {
    for (const { size, figures } of sides)
      console.log(`${what.padEnd(14)} ${size.toLocaleString('en').padStart(9)} jobs: ${spread(figures[what], 3)} ms`);
    const medians = sides.map(({ figures }) => median(figures[what]));
    bound(`${what}, the slowest of the quickest`, Math.max(...medians) / Math.min(...medians), '<=', 2);
  }
}

/** Measures the milliseconds from the start of the process to the first 200 of /ready. */
async function starts(name: string, folder: string, args: readonly string[], fresh: boolean): Promise<void> {
  const all: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    if (fresh) rmSync(folder, { recursive: true, force: true });
    const service = await startBenchService({ folder, args });
    all.push(service.readyMs);
    await service.stop();
  }
  console.log(`start to ready, ${name}: ${spread(all)} ms`);
  bound(`milliseconds from start to ready, ${name}`, median(all), '<=', 1000, 0);
}

/** Measures the resident memory (in 10⁶ bytes) a few seconds after the service is ready, and after some requests. */
async function memory(name: string, folder: string, args: readonly string[]): Promise<void> {
  const service = await startBenchService({ folder, args });
  const connection = new Connection(service.url, service.token);
  try {
    await sleep(SETTLE_MS);
    const atStart = residentMegabytes(service.pid);
    const body = JSON.stringify({ input: 'none.mp4', output: 'out.mp4' });
    for (let i = 0; i < CALLS; i++) {
      const { text } = await connection.send('/api/conversion', body);
      await connection.send(`/api/conversion/${(JSON.parse(text) as { jobId: string }).jobId}`);
      await connection.send('/api/conversion?limit=50');
      await connection.send('/ready');
    }
    await sleep(SETTLE_MS);
    const afterRequests = residentMegabytes(service.pid);
    console.log(
      `idle memory, ${name}: ${atStart.toFixed(0)} MB, after ${4 * CALLS} requests ${afterRequests.toFixed(0)} MB`,
    );
    bound(`idle memory in MB, ${name}`, Math.max(atStart, afterRequests), '<=', 120, 0);
  } finally {
    connection.close();
    await service.stop();
  }
}

const folder = benchFolder('backlog');
printMachine(folder);
if (process.argv.includes('--clients')) {
  await benchClientBacklog(folder);
  process.exit();
}
if (process.argv.includes('--postgres')) {
  await benchPostgresClaims(folder);
  process.exit();
}
if (process.argv.includes('--cancels')) {
  await benchPostgresCancels(folder);
  process.exit();
}
const folderOf = (size: number): string => join(folder, String(size));
for (const size of SIZES) {
  // The first start creates the store. Fill it while no service runs.
  await (await startBenchService({ folder: folderOf(size), args: ['--no-worker'] })).stop();
  const backlog = await Backlog.open(join(folderOf(size), 'data'));
  const took = await timed(() => backlog.add(size, 'amy'));
  await backlog.add(FEW, 'zoe');
  await backlog.store.close();
  console.log(`${size.toLocaleString('en')} jobs stored in ${(took / 1000).toFixed(1)} s`);
}
const sides: Side[] = [];
try {
  for (const size of SIZES) sides.push(await open(folderOf(size), size));
  await latencies(sides);
} finally {
  for (const side of sides) {
    side.connection.close();
    await side.backlog.store.close();
    await side.service.stop();
  }
}
const [, , most] = SIZES;
// With a worker, the service would run the million jobs.
await starts('first start', join(folder, 'fresh'), [], true);
await starts('again', join(folder, 'fresh'), [], false);
await starts('1,000,000 jobs', folderOf(most), ['--no-worker'], false);
await memory('no jobs', join(folder, 'fresh'), []);
await memory('1,000,000 jobs', folderOf(most), ['--no-worker']);
