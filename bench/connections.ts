/**
 * `npm run bench:connections`: measures what 1,000 connections cost that are not used as they should be: memory of the service, and
 * the latency of `/health` for another client, while they are opened and held. `-- --count 200 --seconds 3` makes it short.
 * Before each case, clients that read their replies use the service: the memory of V8 grows with any load, not only with these.
 * `-- --only TEXT`: the cases whose name has the text. `-- --program PATH`: another build.
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
import { startBenchService } from './support/service.ts';

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
/** The clients of ordinary load, and how long they use the service. */
const [CLIENTS, LOAD_MS] = [16, 4000];
/** The pause between requests to `/health`. */
const PAUSE_MS = 5;
const JOBS = 200;
const [DOWNLOAD_BYTES, SMALL_BYTES] = [16 * 2 ** 20, 2 ** 18];

const folder = benchFolder('connections');
printMachine(folder);
const service = await startBenchService({
  folder,
  args: ['--no-worker'],
  ...(values.program !== undefined && { program: values.program }),
});
const { url, token, pid } = service;
const { hostname, port } = new URL(url);
const connection = new Connection(url, token);
const clients = Array.from({ length: CLIENTS }, () => new Connection(url, token));

/** A request without its body. */
const head = (line: string, ...fields: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'host: bench', ...fields, '\r\n'].join('\r\n');
const bearer = `authorization: Bearer ${token}`;
const json = 'content-type: application/json';

/** What is sent on each connection, by its name in the output. */
const SENT: Readonly<Record<string, string>> = {
  'replies without a token that are not read': head('GET /docs/scalar.js'),
  'such requests, 16 sent ahead': head('GET /docs/scalar.js').repeat(16),
  'long lists that are not read': head(`GET /api/conversion?limit=${JOBS}`, bearer),
  'downloads that are not read': head('GET /api/files/large.bin', bearer),
  'headers that never end': `GET /health HTTP/1.1\r\nhost: bench\r\nx: ${'x'.repeat(15_000)}`,
  'bodies without a token that never end': `${head('POST /api/auth/token', json, 'content-length: 4000')}${' '.repeat(3999)}`,
  'bodies that never end': `${head('POST /api/conversion', bearer, json, 'content-length: 1000000')}${' '.repeat(999_999)}`,
  'idle connections': head('GET /health'),
};

/** The connections that the service has open, with clients at ADDRESSES (Linux). */
function openConnections(): number {
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

/** Requests of the kinds that are measured, from clients that read. */
async function ordinaryLoad(): Promise<void> {
  const end = performance.now() + LOAD_MS;
  const use = async (client: Connection): Promise<void> => {
    while (performance.now() < end) {
      for (const path of ['/health', `/api/conversion?limit=${JOBS}`, '/api/files/small.bin']) await client.send(path);
      await client.send('/api/conversion?dryRun=true', JSON.stringify({ input: 'in.mp4', output: 'new.mp4' }));
    }
  };
  await Promise.all(clients.map(use));
}

async function measure(text: string): Promise<Cost> {
  await ordinaryLoad();
  await sleep(REST_MS);
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
  const open = openConnections();
  worker.postMessage('close');
  await once(worker, 'exit');
  return { open, megabytesBefore: before, addedMegabytes: highest - before, healthMs };
}

try {
  writeFileSync(join(service.mediaRoot, 'large.bin'), Buffer.alloc(DOWNLOAD_BYTES));
  writeFileSync(join(service.mediaRoot, 'small.bin'), Buffer.alloc(SMALL_BYTES));
  writeFileSync(join(service.mediaRoot, 'in.mp4'), '');
  const metadata = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`key${i}`, 'x'.repeat(480)]));
  for (let i = 0; i < JOBS; i++)
    await must(`${url}/api/conversion`, { token, body: { input: 'in.mp4', output: `out/${i}.mp4`, metadata } });
  // What the first request loads is not counted.
  for (const path of ['/docs/scalar.js', `/api/conversion?limit=${JOBS}`, '/api/files/large.bin'])
    await connection.send(path);
  console.log(`${COUNT} connections for ${SECONDS} s`);
  const costs: Cost[] = [];
  for (const [name, text] of Object.entries(SENT).filter(([name]) => name.includes(values.only))) {
    const cost = await measure(text);
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
} finally {
  for (const one of [connection, ...clients]) one.close();
  await service.stop();
}
