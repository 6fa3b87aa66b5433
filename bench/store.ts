// `node bench/store.ts`: measures the store without HTTP: the processor time of submissions in groups of 64, and the
// time of a claim, a status and a list with few and with many stored jobs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { ORDINARY } from '../packages/contract/src/domain/lane.ts';
import { insertBatcher } from '../packages/service/src/jobs/submit/insert-jobs.ts';
import { ticketQueue } from '../packages/service/src/queue/tickets.ts';
import { openSqlite } from '../packages/service/src/store/sqlite/open.ts';
import { EXAMPLE_JSON } from './support/example.ts';
import { median } from './support/figures.ts';

const GROUP = 64;

const ANYTHING = { lanes: ['full', 'light'], has: () => true } as const;

const dir = mkdtempSync(join(tmpdir(), 'telecine-bench-store-'));
const file = join(dir, 'telecine.db');
let store = await openSqlite(file);
let queue = ticketQueue(store.database);
let insertJob = insertBatcher({ ...store, queue, now: () => new Date() });

async function reopen(): Promise<void> {
  store = await openSqlite(file);
  queue = ticketQueue(store.database);
  insertJob = insertBatcher({ ...store, queue, now: () => new Date() });
}

async function submit(clientId: string, key?: string): Promise<string> {
  const jobId = uuid();
  const notBefore = new Date().toISOString();
  const idempotency = key === undefined ? {} : { idempotency: { key, bodyHash: 'x'.repeat(64), notBefore } };
  await insertJob({ jobId, clientId, request: EXAMPLE_JSON, ...ORDINARY, ...idempotency });
  return jobId;
}

async function submissions(name: string, groups: number, keyed: boolean): Promise<void> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (let g = 0; g < groups; g++)
    await Promise.all(Array.from({ length: GROUP }, () => submit('admin', keyed ? uuid() : undefined)));
  const { user, system } = process.cpuUsage(cpu);
  const each = (us: number): string => (us / groups / GROUP).toFixed(1);
  const wall = each((performance.now() - start) * 1000);
  console.log(`${name}: ${each(user + system)} µs CPU, ${wall} µs wall a submission`);
}

/** Adds jobs in transactions of a thousand. This is not measured. */
async function fill(count: number, clientId: string): Promise<void> {
  for (let done = 0; done < count; done += 1000)
    await store.transactions.run(async (tx) => {
      for (let i = 0; i < Math.min(1000, count - done); i++) {
        const jobId = uuid();
        const createdAt = new Date().toISOString();
        const ids = { jobId, clientId, ...ORDINARY };
        await store.jobs.insert(tx, [{ ...ids, request: EXAMPLE_JSON, createdAt }]);
        await queue.enqueue(tx, [{ ...ids, priority: 0 }]);
      }
    });
}

/** The median microseconds of `act`. */
async function timed(times: number, act: () => Promise<unknown>): Promise<string> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    await act();
    all.push((performance.now() - start) * 1000);
  }
  return median(all).toFixed(0);
}

/**
 * Receives and claims the first queued job in one transaction with a disk flush. Returns a function that ends the job.
 */
async function claimOne(perClient: number): Promise<() => Promise<void>> {
  const at = new Date().toISOString();
  const got = await store.transactions.run(async (tx) => {
    const [delivery] = await queue.take(tx, { slots: 1, perClient, ...ANYTHING });
    const claim = delivery && (await store.jobs.claim(tx, delivery.jobId, at));
    return delivery && claim && { delivery, claim };
  });
  if (got === undefined) throw new Error('Nothing to claim.');
  return () =>
    store.transactions.run(async (tx) => {
      await queue.remove(tx, got.delivery);
      await store.jobs.end(tx, got.claim, { status: 'COMPLETED', outputs: [] }, at, '');
    });
}

/** The median microseconds of a claim, without the time of `before` and without the time to end the job. */
async function claims(perClient: number, before: () => Promise<unknown> = async () => {}): Promise<string> {
  const all: number[] = [];
  for (let i = 0; i < 100; i++) {
    await before();
    const start = performance.now();
    const end = await claimOne(perClient);
    all.push((performance.now() - start) * 1000);
    await end();
  }
  return median(all).toFixed(0);
}

async function latencies(name: string): Promise<void> {
  const jobId = await submit('zoe');
  for (let i = 0; i < 200; i++) await submit('zoe');
  const figures = {
    claim: await claims(4),
    status: await timed(300, () => store.jobs.get(jobId)),
    'list of all': await timed(100, () => store.jobs.list({ limit: 50 })),
    'by status': await timed(100, () => store.jobs.list({ limit: 50, status: 'PENDING' })),
    'by client': await timed(100, () => store.jobs.list({ limit: 50, clientId: 'zoe' })),
    'by client and status': await timed(100, () => store.jobs.list({ limit: 50, clientId: 'zoe', status: 'PENDING' })),
    'count of pending up to 100,000': await timed(5, () => store.jobs.countPending(undefined, 100_000)),
  };
  console.log(`${name}: µs ${JSON.stringify(figures)}`);
}

try {
  await submissions('warm-up', 50, false);
  for (let i = 0; i < 3; i++) await submissions('submit', 200, false);
  await submissions('with a key', 200, true);
  await store.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  await reopen();
  await latencies('0 jobs');
  await fill(10_000, 'amy');
  await latencies('10,000 jobs');
  await fill(990_000, 'amy');
  await latencies('1,000,000 jobs');
  await store.close();
  const start = performance.now();
  await reopen();
  console.log(`opening with 1,000,000 jobs: ${(performance.now() - start).toFixed(0)} ms`);
  await store.transactions.run((tx) => queue.take(tx, { slots: 1, perClient: 1, ...ANYTHING }));
  const past = await claims(1, () => submit('bob'));
  console.log(`claim past 1,000,000 tickets of a client at its limit of deliveries: ${past} µs`);
  console.log(`memory: ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`);
} finally {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
}
