/**
 * `npm run bench:connections`: measures the cost of 1,000 misused connections: the memory of the service, and the latency of `/health` for
 * another client while the connections are opened and held. `-- --count 200 --seconds 3` makes it short. Each case has its own service,
 * which 16 clients have used before, because V8's memory for new objects grows with any load. `-- --only TEXT`: only cases whose name
 * contains the text. `-- --program PATH`: another build.
 */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { must } from '../scripts/lib/api.ts';
import { bound, percentile } from './support/figures.ts';
import type { Hold } from './support/held-connections.ts';
import { Connection } from './support/http.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { residentMegabytes } from './support/processes.ts';
import { type BenchService, startBenchService } from './support/service.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
    program: { type: 'string' },
  },
});
const [COUNT, SECONDS] = [Number(values.count), Number(values.seconds)];
/** By default, a service allows 256 connections without a token from one address. */
const ADDRESSES = Array.from({ length: 10 }, (_, i) => `127.0.0.${i + 11}`);
const REST_MS = 3000;
/** The clients of ordinary load, and how long they use a service. */
const [CLIENTS, LOAD_MS] = [16, 8000];
/** The pause between requests to `/health`. */
const PAUSE_MS = 5;
const JOBS = 200;
const DOWNLOAD_BYTES = 16 * 2 ** 20;

/** The path of a long list of jobs. */
const LIST = `/api/conversion?limit=${JOBS}`;

/** A request without its body. */
const head = (line: string, ...fields: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'host: bench', ...fields, '\r\n'].join('\r\n');
const json = 'content-type: application/json';

/** What is sent on each connection, by its name in the output. `bearer`: the header field of a token. */
const SENT: Readonly<Record<string, (bearer: string) => string>> = {
  'replies without a token that are not read': () => head('GET /docs/scalar.js'),
  'such requests, 16 sent ahead': () => head('GET /docs/scalar.js').repeat(16),
  'long lists that are not read': (bearer) => head(`GET ${LIST}`, bearer),
  'downloads that are not read': (bearer) => head('GET /api/files/large.bin', bearer),
  'headers that never end': () => `GET /health HTTP/1.1\r\nhost: bench\r\nx: ${'x'.repeat(15_000)}`,
  'bodies without a token that never end': () =>
    `${head('POST /api/auth/token', json, 'content-length: 4000')}${' '.repeat(3999)}`,
  'bodies that never end': (bearer) =>
    `${head('POST /api/conversion', bearer, json, 'content-length: 1000000')}${' '.repeat(999_999)}`,
  'idle connections': () => head('GET /health'),
};

/** The connections that the service has open, with clients at ADDRESSES (Linux). */
function openConnections(port: string): number {
  const local = `0100007F:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  return rows.filter((row) => {
    const [, here, there = '', state] = row.trim().split(/\s+/);
    return here === local && state === '01' && !there.startsWith('0100007F');
  }).length;
}

interface Cost {
  readonly open: number;
  readonly megabytesBefore: number;
  readonly addedMegabytes: number;
  readonly healthMs: readonly number[];
}

/** Stores jobs and files, and sends each request once: what the service loads at a first request is not counted. */
async function prepare({ url, token, mediaRoot }: BenchService, connection: Connection): Promise<void> {
  writeFileSync(join(mediaRoot, 'large.bin'), Buffer.alloc(DOWNLOAD_BYTES));
  writeFileSync(join(mediaRoot, 'in.mp4'), '');
  const metadata = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`key${i}`, 'x'.repeat(480)]));
  for (let i = 0; i < JOBS; i++)
    await must(`${url}/api/conversion`, { token, body: { input: 'in.mp4', output: `out/${i}.mp4`, metadata } });
  for (const path of ['/docs/scalar.js', LIST, '/api/files/large.bin']) await connection.send(path);
}

/** Short requests, as clients send them all day. Their replies are read. */
async function ordinaryLoad({ url, token }: BenchService): Promise<void> {
  const end = performance.now() + LOAD_MS;
  const body = JSON.stringify({ input: 'in.mp4', output: 'new.mp4' });
  const use = async (): Promise<void> => {
    const client = new Connection(url, token);
    while (performance.now() < end) {
      await client.send('/api/conversion?limit=1');
      await client.send('/api/conversion?dryRun=true', body);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, use));
}

async function hold({ url, pid }: BenchService, connection: Connection, text: string): Promise<Cost> {
  const { hostname, port } = new URL(url);
  const before = residentMegabytes(pid);
  const workerData: Hold = { host: hostname, port: Number(port), count: COUNT, addresses: ADDRESSES, text };
  const worker = new Worker(new URL('support/held-connections.ts', import.meta.url), { workerData });
  let end = Number.POSITIVE_INFINITY;
  worker.once('message', () => {
    end = performance.now() + SECONDS * 1000;
  });
  let highest = before;
  const healthMs: number[] = [];
  while (performance.now() < end) {
    const from = performance.now();
    await connection.send('/health');
    healthMs.push(performance.now() - from);
    highest = Math.max(highest, residentMegabytes(pid));
    await sleep(PAUSE_MS);
  }
  const open = openConnections(port);
  worker.postMessage('close');
  await once(worker, 'exit');
  return { open, megabytesBefore: before, addedMegabytes: highest - before, healthMs };
}

async function measure(folder: string, sent: (bearer: string) => string): Promise<Cost> {
  const { program } = values;
  const service = await startBenchService({ folder, args: ['--no-worker'], ...(program !== undefined && { program }) });
  const connection = new Connection(service.url, service.token);
  try {
    await prepare(service, connection);
    await ordinaryLoad(service);
    await sleep(REST_MS);
    return await hold(service, connection, sent(`authorization: Bearer ${service.token}`));
  } finally {
    connection.close();
    await service.stop();
  }
}

const folder = benchFolder('connections');
printMachine(folder);
console.log(`${COUNT} connections for ${SECONDS} s`);
const costs: Cost[] = [];
for (const [name, sent] of Object.entries(SENT).filter(([name]) => name.includes(values.only))) {
  const cost = await measure(join(folder, name.replaceAll(' ', '-')), sent);
  costs.push(cost);
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(cost.healthMs, share).toFixed(1));
  console.log(
    `${name.padEnd(42)} ${cost.open} open, ${cost.megabytesBefore.toFixed(1)} MB and ${cost.addedMegabytes.toFixed(1)} MB more, ` +
      `/health p50 ${p50} ms, p99 ${p99} ms`,
  );
}
bound('MB that the dearest connections add', Math.max(...costs.map((cost) => cost.addedMegabytes)), '<=', 100, 1);
const p99 = costs.map((cost) => percentile(cost.healthMs, 0.99));
bound('ms of /health meanwhile, p99', Math.max(...p99), '<=', 100, 1);
