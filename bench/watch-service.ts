/**
 * `npm run bench:watch-service`: a service with one watch over 100,000 files, on a local disk and in a bucket. How long its first scan takes,
 * which memory that adds, whether each file is known once, and the processor time of the service while nothing lands, against the same
 * service without a watch. `bench:watch-idle` measures single polls. `-- --count 2000 --seconds 20` makes it short; `--only disk`;
 * `--postgres`: the ledger is in PostgreSQL, whose transactions are counted; `--radosgw`: the objects are in the S3 server of the tests, which takes minutes to fill.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { Client } from 'pg';
import type { JobListView } from '../packages/contract/src/wire/job.ts';
import type { WatchView } from '../packages/contract/src/wire/watch.ts';
import { s3Client } from '../packages/service/src/media/s3/client.ts';
import { adminLogin, must } from '../scripts/lib/api.ts';
import { endWithTests } from '../test/support/end-with-tests.ts';
import type { PostgresServer } from '../test/support/postgres.ts';
import { startRadosgw } from '../test/support/radosgw.ts';
import { soundOf } from '../test/support/sounds.ts';
import { startBenchPostgres } from './support/bench-postgres.ts';
import { bound } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { type BenchService, startBenchService } from './support/service.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '150' },
    only: { type: 'string', default: 'disk,bucket' },
    radosgw: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
  },
});
const [COUNT, SECONDS] = [Number(values.count), Number(values.seconds)];
const FOLDERS = Math.min(1000, COUNT / 10);
/** Files that land after the first scan. */
const LANDED = 5;
const TICKS_A_SECOND = 100;
/** Reads of the watch are transactions too, so they are rare. */
const POLL_MS = 1000;
/** The longest wait for a list. */
const LONGEST_MS = 900_000;
/** After the first scan, folders are read once more, and the heap is collected. */
const QUIET_MS = 45_000;

const home = benchFolder('watch-service');
printMachine(home);
if (values.only.includes('disk')) await onDisk();
if (values.only.includes('bucket')) await inBucket();

async function onDisk(): Promise<void> {
  const folder = join(home, 'disk');
  const media = join(folder, 'media/in');
  for (let i = 0; i < FOLDERS; i += 1) mkdirSync(join(media, String(i)), { recursive: true });
  for (let i = 0; i < COUNT; i += 1) writeFileSync(join(media, String(i % FOLDERS), `GX01${i}.WAV`), '');
  const land = (): void => {
    for (let i = 0; i < LANDED; i += 1) {
      const hidden = join(media, `.new ${i}`);
      writeFileSync(hidden, soundOf(i));
      renameSync(hidden, join(media, String(i), `new ${i}.wav`));
    }
  };
  await using closing = new AsyncDisposableStack();
  const postgres = values.postgres ? await startBenchPostgres(closing, home) : undefined;
  const env = postgres && { TELECINE_DATABASE_URL: postgres.url('postgres') };
  const transactions = postgres && (() => transactionsOf(postgres));
  await measure(`${COUNT} files on a disk`, folder, env ?? {}, { land, ...(transactions && { transactions }) });
}

/** How many transactions the service has committed. A statement outside of one counts as one. */
async function transactionsOf(postgres: PostgresServer): Promise<number> {
  const client = new Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  // Sessions report what they have done within a second.
  await sleep(1100);
  const { rows } = await client.query('select xact_commit from pg_stat_database where datname = current_database()');
  await client.end();
  return Number(rows[0]?.['xact_commit']);
}

async function inBucket(): Promise<void> {
  const folder = join(home, 'bucket');
  mkdirSync(folder);
  await using closing = new AsyncDisposableStack();
  const { endpoint, accessKeyId, secretAccessKey } = values.radosgw
    ? await filledRadosgw(closing, folder)
    : { endpoint: await listServer(closing), accessKeyId: 'bench', secretAccessKey: 'bench' };
  const env = {
    TELECINE_STORAGE: 's3://bench/',
    TELECINE_STORAGE_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
  // The S3 server of the tests does not tell them.
  const lists = values.radosgw
    ? undefined
    : async () => (await (await fetch(`${endpoint}/-/lists`)).json()) as number[];
  await measure(`${COUNT} objects in a bucket`, folder, env, { ...(lists && { lists }) });
}

async function listServer(closing: AsyncDisposableStack): Promise<string> {
  const program = join(import.meta.dirname, 'support/list-server.ts');
  const child = spawn(process.execPath, [program, String(COUNT), String(FOLDERS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithTests(child);
  closing.defer(() => void child.kill());
  const [endpoint] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return endpoint;
}

async function filledRadosgw(closing: AsyncDisposableStack, folder: string) {
  const own = join(folder, 's3');
  mkdirSync(own);
  const server = await startRadosgw(own);
  closing.defer(() => server.stop());
  const { endpoint, accessKeyId, secretAccessKey } = server;
  const client = s3Client({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey },
  });
  await client.send(new CreateBucketCommand({ Bucket: 'bench' }));
  const limit = pLimit(32);
  const put = (i: number) =>
    client.send(new PutObjectCommand({ Bucket: 'bench', Key: `in/${i % FOLDERS}/GX01${i}.MOV`, Body: 'x' }));
  await Promise.all(Array.from({ length: COUNT }, (_, i) => limit(() => put(i))));
  client.destroy();
  return server;
}

interface Look {
  /** Lets files land. */
  readonly land?: () => void;
  /** When the bucket was listed from its beginning, in milliseconds. */
  readonly lists?: () => Promise<readonly number[]>;
  readonly transactions?: () => Promise<number>;
}

async function measure(
  name: string,
  folder: string,
  env: Record<string, string>,
  { land, lists, transactions }: Look,
): Promise<void> {
  console.log(`\n${name}`);
  const service = await startBenchService({ folder, env });
  try {
    await sleep(QUIET_MS / 3);
    const alone = await idleShare(service, sleep(SECONDS * 500));
    const before = memoryOf(service);
    const committed = await transactions?.();
    const began = performance.now();
    const ticks = ticksOf(service);
    const watch = await must<WatchView>(`${service.url}/api/watches`, {
      token: service.token,
      body: {
        ...{ folder: 'in/', existing: 'ignore', settleSeconds: 1 },
        request: { output: 'out/{folder}{name}.wav', parameters: { 'c:a': 'pcm_s16le' } },
      },
    });
    let token = service.token;
    const read = () => must<WatchView>(`${service.url}/api/watches/${watch.watchId}`, { token });
    let seen = await read();
    while (seen.lastScan === undefined) {
      await sleep(POLL_MS);
      seen = await read();
    }
    const seconds = (performance.now() - began) / 1000;
    const used = (ticksOf(service) - ticks) / TICKS_A_SECOND;
    const { peak, now } = memoryOf(service);
    console.log(
      `  first scan: ${seconds.toFixed(1)} s, ${used.toFixed(1)} s of processor time; memory ${before.now} MB before, ${peak} MB at most, ${now} MB after`,
    );
    if (transactions !== undefined && committed !== undefined)
      bound(
        `${name}: transactions of the first scan for each 500 files`,
        ((await transactions()) - committed) / (COUNT / 500),
        '<=',
        10,
        1,
      );
    bound(`${name}: known after the first scan`, seen.counts.skipped, '>=', COUNT, 0);
    bound(`${name}: memory that the first scan adds in MB`, peak - before.now, '<=', 250, 0);

    if (land !== undefined) {
      land();
      while (seen.counts.converted < LANDED) {
        await sleep(POLL_MS);
        seen = await read();
      }
      const jobs = await must<JobListView>(`${service.url}/api/conversion?watch=${watch.watchId}`, {
        token: service.token,
      });
      bound(`${name}: jobs for ${LANDED} files that landed`, jobs.jobs.length, '<=', LANDED, 0);
    }
    await sleep(QUIET_MS);
    const idle =
      lists === undefined ? await idleShare(service, sleep(SECONDS * 1000)) : await sharePerList(service, lists);
    console.log(`  idle: ${alone.toFixed(2)} % of a core without the watch, ${idle.toFixed(2)} % with it`);
    bound(`${name}: processor time of the idle watch in % of a core`, Math.max(0, idle - alone), '<=', 1, 2);
    if (lists !== undefined) {
      const times = await lists();
      const apart = times.slice(1).map((at, index) => (at - (times[index] ?? at)) / 1000);
      bound(`${name}: seconds between two lists`, apart.slice(1), '>=', 59.9, 1);
    }
    // The pauses between lists can be longer than a token is valid.
    token = (await adminLogin(service.url, join(folder, 'data'))).accessToken;
    const after = await read();
    bound(`${name}: files that are known twice or lost`, Math.abs(after.counts.skipped - COUNT), '<=', 0, 0);
  } finally {
    await service.stop();
  }
}

/** The clock ticks that the threads of the service have used, without its programs. */
function ticksOf({ pid }: BenchService): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return user + system;
}

async function idleShare(service: BenchService, end: Promise<unknown>): Promise<number> {
  const [ticks, began] = [ticksOf(service), performance.now()];
  await end;
  return (ticksOf(service) - ticks) / TICKS_A_SECOND / ((performance.now() - began) / 1000) / 0.01;
}

/** The share over whole pauses between lists: a part of one would have all of its list or none. */
async function sharePerList(service: BenchService, lists: NonNullable<Look['lists']>): Promise<number> {
  const next = async (leastSeconds: number): Promise<void> => {
    const began = performance.now();
    await sleep(leastSeconds * 1000);
    const before = (await lists()).length;
    while ((await lists()).length === before && performance.now() < began + LONGEST_MS) await sleep(100);
  };
  await next(0);
  return idleShare(service, next(SECONDS));
}

/** The resident memory in MB, and the most that it ever was. */
function memoryOf({ pid }: BenchService): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (field: string): number => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { now: of('VmRSS'), peak: of('VmHWM') };
}
