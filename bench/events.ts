/**
 * `npm run bench:events`: measures the cost of 1,000 listeners of live events for one process: its memory, and its submissions per second.
 * Three cases take turns on one service: without listeners, with listeners, and with one more listener that gets the submitted jobs. Also
 * measures `/health` for another client, while the listeners connect and while jobs are submitted. `-- --rounds 3 --seconds 2 --services 1`
 * makes it short, `--postgres` stores in PostgreSQL.
 *
 * Half of the listeners follow one queued job each. The others follow all jobs of their clients, which do not submit.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { must } from '../scripts/lib/api.ts';
import { startBenchPostgres } from './support/bench-postgres.ts';
import { addClients, type Followed, listen } from './support/event-listeners.ts';
import { EXAMPLE, EXAMPLE_JSON } from './support/example.ts';
import { bound, median, percentile, spread } from './support/figures.ts';
import { GENERATOR, load } from './support/generator.ts';
import { Connection } from './support/http.ts';
import { CONNECTIONS, type LoadResult } from './support/load.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { cpuSeconds, residentMegabytes } from './support/processes.ts';
import { type BenchService, startBenchService } from './support/service.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '4' },
    services: { type: 'string', default: '3' },
    postgres: { type: 'boolean', default: false },
  },
});
const [ROUNDS, SECONDS] = [Number(values.rounds), Number(values.seconds)];
const LISTENERS = 1000;
const CLIENTS = 20;
/** The number of services whose memory is measured. */
const SERVICES = Number(values.services);
const WARM_UP_SECONDS = 2 * SECONDS;
/** How long a service rests before its memory is read, so that V8 can collect garbage. */
const REST_MS = 5000;
/** The pause between two requests for `/health`. */
const PAUSE_MS = 5;

interface Round extends LoadResult {
  /** The processor time of the service per submission. */
  readonly cpuMicroseconds: number;
}

interface Bench {
  readonly service: BenchService;
  readonly followed: readonly Followed[];
  /** The token of the client that submits. */
  readonly submitter: string;
  submit(seconds: number): Promise<Round>;
}

/** The URL of a new database, if jobs are stored in PostgreSQL. */
async function newDatabase(): Promise<string | undefined> {
  if (postgres === undefined) return undefined;
  const name = `events${++databases}`;
  await postgres.sql(`create database ${name}`);
  return postgres.url(name);
}

async function startBench(folder: string): Promise<Bench> {
  const databaseUrl = await newDatabase();
  const env = {
    TELECINE_CLIENT_LIMITS: `requests=none,replies=none,submissions=none,pending=none,event-streams=${LISTENERS}`,
    ...(databaseUrl !== undefined && {
      TELECINE_DATABASE_URL: databaseUrl,
      TELECINE_DATABASE_LISTEN_URL: databaseUrl,
    }),
  };
  // On PostgreSQL, a service without a worker knows no ffmpeg, so run a worker and pause the queue.
  const args = databaseUrl === undefined ? ['--no-worker'] : [];
  const service = await startBenchService({ folder, args, env });
  if (databaseUrl !== undefined) await must(`${service.url}/api/queue/pause`, { token: service.token, body: {} });
  const input = join(service.mediaRoot, EXAMPLE.input);
  mkdirSync(dirname(input), { recursive: true });
  writeFileSync(input, '');
  const names = Array.from({ length: CLIENTS + 1 }, (_, i) => `client-${i}`);
  const [submitter = '', ...others] = await addClients(
    service.url,
    { dataDir: join(folder, 'data'), ...(databaseUrl !== undefined && { databaseUrl }) },
    names,
  );
  const url = `${service.url}/api/conversion`;
  const headersOf = (token: string) => ({ 'content-type': 'application/json', authorization: `Bearer ${token}` });
  const tokenOf = (i: number): string => others[i % CLIENTS] ?? '';
  const followed: Followed[] = [];
  while (followed.length < LISTENERS / 2) followed.push({ path: '/api/events', token: tokenOf(followed.length) });
  while (followed.length < LISTENERS) {
    const token = tokenOf(followed.length);
    const reply = await fetch(url, { method: 'POST', headers: headersOf(token), body: EXAMPLE_JSON });
    const { jobId } = (await reply.json()) as { jobId: string };
    followed.push({ path: `/api/conversion/${jobId}/events`, token });
  }
  return {
    service,
    followed,
    submitter,
    async submit(seconds) {
      const before = cpuSeconds(service.pid);
      const result = await load({ url, headers: headersOf(submitter), body: EXAMPLE_JSON, seconds });
      return { ...result, cpuMicroseconds: ((cpuSeconds(service.pid) - before) * 1e6) / result.requests };
    },
  };
}

/** The memory that the listeners add to a service that has accepted jobs. */
async function addedMegabytes(folder: string): Promise<number> {
  const { service, followed, submit } = await startBench(folder);
  try {
    await submit(SECONDS);
    await sleep(REST_MS);
    const before = residentMegabytes(service.pid);
    const listeners = await listen(service.url, followed);
    await sleep(REST_MS);
    const added = residentMegabytes(service.pid) - before;
    console.log(`${listeners.bytes()} bytes sent; ${before.toFixed(1)} MB, and ${added.toFixed(1)} MB for listeners`);
    await listeners.close();
    return added;
  } finally {
    await service.stop();
  }
}

/** Requests `/health` again and again until `end` settles. Returns the time of each reply in milliseconds. */
async function healthDuring(url: string, end: Promise<unknown>): Promise<readonly number[]> {
  const connection = new Connection(url, '');
  const times: number[] = [];
  let hasEnded = false;
  const stop = (): void => {
    hasEnded = true;
  };
  end.then(stop, stop);
  while (!hasEnded) {
    const from = performance.now();
    await connection.send('/health');
    times.push(performance.now() - from);
    await sleep(PAUSE_MS);
  }
  connection.close();
  return times;
}

const folder = benchFolder('events');
printMachine(folder);
await using closers = new AsyncDisposableStack();
const postgres = values.postgres ? await startBenchPostgres(closers, folder) : undefined;
let databases = 0;
const added: number[] = [];
for (let i = 0; i < SERVICES; i++) added.push(await addedMegabytes(join(folder, `memory-${i}`)));

/** The measured cases, with their names in the output. */
const SIDES = { alone: 'no listeners', others: `${LISTENERS} listeners`, own: 'and one of the submissions' } as const;
type Side = keyof typeof SIDES;

const { service, followed, submitter, submit } = await startBench(join(folder, 'submissions'));
const rounds: Record<Side, Round>[] = [];
const healthMs: number[] = [];
const withHealth = async <T>(work: Promise<T>): Promise<T> => {
  healthMs.push(...(await healthDuring(service.url, work)));
  return work;
};
try {
  console.log(`${CONNECTIONS} connections by ${GENERATOR}, ${ROUNDS} rounds of ${SECONDS} s a side`);
  await submit(WARM_UP_SECONDS);
  for (let i = 0; i < ROUNDS; i++) {
    const alone = await submit(SECONDS);
    const listeners = await withHealth(listen(service.url, followed));
    const others = await submit(SECONDS);
    // Begin after this event: a snapshot would contain all jobs that were submitted so far.
    const lastEventId = listeners.readyId();
    const follower = await listen(service.url, [{ path: '/api/events', token: submitter, lastEventId }]);
    const before = follower.bytes();
    const own = await submit(SECONDS);
    // Measure `/health` separately, because its requests would slow down the rounds above.
    await withHealth(submit(1));
    if (follower.bytes() - before < own.requests * EXAMPLE_JSON.length)
      throw new Error('The listener did not get all jobs.');
    await Promise.all([listeners.close(), follower.close()]);
    rounds.push({ alone, others, own });
  }
} finally {
  await service.stop();
}
for (const [side, name] of Object.entries(SIDES) as [Side, string][]) {
  const of = (figure: keyof Round): number[] => rounds.map((one) => one[side][figure]);
  console.log(
    `${name.padEnd(26)}  ${spread(of('perSecond'))} a second, p50 ${spread(of('p50Ms'), 1)} ms, ` +
      `p99 ${spread(of('p99Ms'), 1)} ms, ${spread(of('cpuMicroseconds'), 1)} µs of processor a submission`,
  );
}
const shareOf = (side: Side): number[] => rounds.map((one) => one[side].perSecond / one.alone.perSecond);
console.log(`added memory: ${spread(added, 1)} MB`);
for (const side of ['others', 'own'] as const)
  console.log(`share of the submissions a second, ${SIDES[side]}: ${spread(shareOf(side), 3)}`);
bound('MB that 1,000 listeners add', median(added), '<=', values.postgres ? 100 : 60, 1);
bound('ms of /health, p99, while listeners connect and jobs are submitted', percentile(healthMs, 0.99), '<=', 100, 1);
bound('submissions a second with 1,000 listeners, of those without', median(shareOf('others')), '>=', 0.9, 3);
