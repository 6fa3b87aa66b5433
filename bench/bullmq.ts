/**
 * `npm run bench:bullmq`: compares durable submissions of Telecine, on PostgreSQL and on SQLite, with a server that a user could write
 * instead: Fastify with BullMQ on a Redis that flushes each write to the disk. `bare` is a server that only stores requests in PostgreSQL,
 * which any such service must do. The servers receive the load in turns.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import packages from '../package.json' with { type: 'json' };
import { must } from '../scripts/lib/api.ts';
import { endWithTests } from '../test/support/end-with-tests.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { EXAMPLE, EXAMPLE_JSON } from './support/example.ts';
import { bound, spread } from './support/figures.ts';
import { GENERATOR, load } from './support/generator.ts';
import { CONNECTIONS, type LoadResult } from './support/load.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { startRedis } from './support/redis.ts';
import { type BenchService, startBenchService } from './support/service.ts';
import { startDurablePostgresServer } from './support/start-bare-server.ts';

const BULLMQ = ['bullmq@6.7.0', 'ioredis@6.0.0', '@fastify/jwt@10.2.8'];
const ROUNDS = 7;
const SECONDS = 4;
const WARM_UP_SECONDS = 10;

/** Starts a service that accepts jobs and runs none. Creates the example input, because without it each reply has a warning. */
async function startService(name: string, env: Readonly<Record<string, string>> = {}): Promise<BenchService> {
  const service = await startBenchService({ folder: join(folder, name), env });
  await must(`${service.url}/api/queue/pause`, { method: 'POST', token: service.token });
  const input = join(service.mediaRoot, EXAMPLE.input);
  mkdirSync(dirname(input), { recursive: true });
  writeFileSync(input, '');
  return service;
}

/** Starts the server with BullMQ. Installs its packages in a separate folder, because nothing else needs them. */
async function startBullmq(redisPort: number): Promise<{ child: ChildProcess; url: string; token: string }> {
  const server = join(folder, 'server.mjs');
  copyFileSync(join(import.meta.dirname, 'support/bullmq-server.mjs'), server);
  const fastify = `fastify@${packages.devDependencies.fastify}`;
  execFileSync('npm', ['install', '--prefix', folder, '--omit=optional', fastify, ...BULLMQ], { stdio: 'ignore' });
  const child = spawn(process.execPath, [server, String(redisPort)], { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithTests(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, ...(JSON.parse(line) as { url: string; token: string }) };
}

const folder = benchFolder('bullmq');
printMachine(folder);
await using closers = new AsyncDisposableStack();
const [redisFolder, postgresFolder] = ['redis', 'postgres'].map((name) => join(folder, name)) as [string, string];
for (const path of [redisFolder, postgresFolder]) mkdirSync(path);
// If this process runs as root, PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o755);
const redis = await startRedis(redisFolder);
closers.defer(() => redis.stop());
const postgres = await startPostgres(postgresFolder, { durable: true });
closers.defer(() => postgres.stop());
for (const database of ['telecine', 'bare']) await postgres.sql(`CREATE DATABASE ${database}`);

const bullmq = await startBullmq(redis.port);
closers.defer(() => void bullmq.child.kill());
const onPostgres = await startService('on-postgres', { TELECINE_DATABASE_URL: postgres.url('telecine') });
closers.defer(() => onPostgres.stop());
const bare = await startDurablePostgresServer('The job is queued for processing.', postgres.url('bare'));
closers.defer(() => void bare.child.kill());
const onSqlite = await startService('on-sqlite');
closers.defer(() => onSqlite.stop());

const targets = {
  bullmq,
  postgresql: onPostgres,
  bare: { url: bare.address, token: '' },
  sqlite: onSqlite,
} as const;
type Side = keyof typeof targets;
const sides = Object.keys(targets) as Side[];

const round = (side: Side, seconds = SECONDS): Promise<LoadResult> => {
  const { url, token } = targets[side];
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return load({ url: `${url}/api/conversion`, headers, body: EXAMPLE_JSON, seconds });
};

console.log(`${CONNECTIONS} connections by ${GENERATOR}, ${ROUNDS} rounds of ${SECONDS} s a side`);
for (const side of sides) await round(side, WARM_UP_SECONDS);
const rounds: Readonly<Record<Side, LoadResult>>[] = [];
for (let i = 0; i < ROUNDS; i++)
  rounds.push({
    bullmq: await round('bullmq'),
    postgresql: await round('postgresql'),
    bare: await round('bare'),
    sqlite: await round('sqlite'),
  });
for (const side of sides) {
  const of = (figure: keyof LoadResult): number[] => rounds.map((one) => one[side][figure]);
  console.log(
    `${side.padEnd(10)}  ${spread(of('perSecond'))} a second, p50 ${spread(of('p50Ms'), 1)} ms, p99 ${spread(of('p99Ms'), 1)} ms`,
  );
}
const ratio = (side: Side, of: Side): number[] => rounds.map((one) => one[side].perSecond / one[of].perSecond);
bound('submissions a second on PostgreSQL, of BullMQ', ratio('postgresql', 'bullmq'), '>=', 1);
bound(
  'submissions a second on PostgreSQL, of a server that only stores them there',
  ratio('postgresql', 'bare'),
  '>=',
  0.85,
);
bound('submissions a second on SQLite, of BullMQ', ratio('sqlite', 'bullmq'), '>=', 2);
