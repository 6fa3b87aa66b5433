import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, inject } from 'vitest';
import { endWithTests } from '../support/end-with-tests.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { seedCatalogues } from '../support/server.ts';
import { COUNTER, type Counts, countsOf, startCounted } from './counted-service.ts';
import { countPaths } from './paths.ts';
import { ENGINES, type Engine, type Excess, excesses, numberOf, writeTable } from './table.ts';

const test = needs('the ffmpeg of Debian 12', 'bubblewrap', 'PostgreSQL');
const onSqlite = needs('the ffmpeg of Debian 12', 'bubblewrap');
const TABLE = join(import.meta.dirname, 'budgets.md');

let server: Promise<PostgresServer> | undefined;

/** The tests use one server. It ends with them. */
async function newDatabase(name: string): Promise<string> {
  server ??= testFolder('budgets').then(startPostgres);
  // A test that is run again begins anew.
  await (await server).sql(`drop database if exists ${name} with (force)`);
  await (await server).sql(`create database ${name}`);
  return (await server).url(name);
}

const COUNT: Readonly<Record<Engine, () => Promise<ReadonlyMap<string, Counts>>>> = {
  SQLite: () => countOn({}),
  PostgreSQL: countOnPostgres,
};

if (process.env['TELECINE_BUDGETS'] === 'write')
  test('writes the table', async () => {
    const [SQLite, PostgreSQL] = await Promise.all([COUNT.SQLite(), COUNT.PostgreSQL()]);
    await writeFile(TABLE, writeTable(await readFile(TABLE, 'utf8'), { SQLite, PostgreSQL }));
    expect([...PostgreSQL.keys()]).toEqual([...SQLite.keys()]);
  });
// Most of the work that a change adds is the same on both.
else
  for (const engine of ENGINES)
    (engine === 'SQLite' ? onSqlite : test)(
      `no path does more work than the table says, on ${engine}`,
      {
        tags: engine === 'SQLite' ? [] : ['long'],
      },
      async () => {
        const found = excesses(await readFile(TABLE, 'utf8'), engine, await COUNT[engine]());
        expect(found.map(explain).join('\n'), ADVICE).toBe('');
      },
    );

async function countOn(env: Readonly<Record<string, string>>, beforeStart = async () => {}) {
  const folder = await testFolder('budgets');
  await mkdir(join(folder, 'data'));
  await seedCatalogues(join(folder, 'data'));
  // What the service does must not depend on the machine: on its cores, or on whether the console is built.
  const fixed = { TELECINE_CONSOLE: 'off', TELECINE_CONCURRENCY: '2', TELECINE_SANDBOX: 'bubblewrap' };
  const service = await startCounted({ folder, program: inject('program'), env: { ...fixed, ...env }, beforeStart });
  try {
    return await countPaths(service);
  } finally {
    await service.kill();
  }
}

async function countOnPostgres(): Promise<ReadonlyMap<string, Counts>> {
  const url = await newDatabase('service');
  return countOn({ TELECINE_DATABASE_URL: url }, () => prepareStart(url));
}

/**
 * Sets the server's numbers of written rows to 0, once the connections of the first service have reported theirs, and lets
 * the second start do what is due a minute after another: PostgreSQL's clock does not stand still.
 */
async function prepareStart(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const others = `
    select pid from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
  while ((await client.query(others)).rowCount !== 0);
  await client.query('update telecine_queue.version set flow_on = null, bam_on = null');
  await client.query('select pg_stat_force_next_flush()');
  await client.query('select pg_stat_reset()');
  await client.end();
}

const ADVICE = 'A path does more work. Do less, or run "npm run budgets" and give the reason in the commit.';

/** The longest line of what was counted. */
const LINE = 160;

function explain({ path, name, engine, budget, measured, details }: Excess): string {
  const counted = Object.entries(details).map(([detail, times]) => `    ${times} × ${detail}`.slice(0, LINE));
  return [`${path} on ${engine}: ${name}: budget ${budget}, measured ${measured}`, ...counted].join('\n');
}

test('the counter sees each kind of work, and not the background', {
  tags: 'long',
}, async () => {
  const folder = await testFolder('budgets');
  const env = { PATH: '/usr/bin:/bin', TELECINE_DATA_DIR: folder, KNOWN_DATABASE_URL: await newDatabase('known') };
  const program = spawn(process.execPath, ['--import', COUNTER, join(import.meta.dirname, 'known-work.ts')], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  endWithTests(program);
  try {
    await once(program, 'message');
    await countsOf(program);
    const counts = await countsOf(program);
    expect(Object.fromEntries(Object.keys(counts).map((name) => [name, numberOf(counts, name)]))).toEqual({
      'file calls': 13,
      fsyncs: 1,
      'processes started': 1,
      'SQL statements': 7,
      'rows written': 10,
    });
  } finally {
    program.kill('SIGKILL');
  }
});
