// npm run record:release-data: records the data of a service of this version, on SQLite and on PostgreSQL, that was killed while it ran
// jobs and others were queued. A test starts each later version of the service on this data. Record the data from the commit of a release,
// and commit it.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import manifest from '../package.json' with { type: 'json' };
import { startPostgres } from '../test/support/postgres.ts';
import { dumpPostgres, dumpSqlite } from './release-data/dump.ts';
import { record, withoutPlaces } from './release-data/record.ts';
import { type DatabaseName, RELEASE_DATA } from './release-data/released-data.ts';
import { ensurePostgres, ensureTools } from './setup/tools.ts';

/** The name, the process and the hash of the recording machine tell a test nothing. */
const ANONYMOUS = "update workers set host_name = 'recorder', pid = 1, machine = null";

await ensureTools(console.log);
if (!(await ensurePostgres(console.log))) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
const target = join(RELEASE_DATA, manifest.version);
mkdirSync(target, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'telecine-release-data-'));
// PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o711);
try {
  await recordOnSqlite();
  await recordOnPostgres();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function recordOnSqlite(): Promise<void> {
  const own = subfolder('sqlite');
  const recorded = await record({ folder: own, env: {} });
  const file = join(own, 'data/telecine.db');
  const db = new DatabaseSync(file);
  db.exec(ANONYMOUS);
  db.close();
  write('sqlite', recorded, dumpSqlite(file));
}

async function recordOnPostgres(): Promise<void> {
  const postgres = await startPostgres(subfolder('postgres'));
  try {
    await postgres.sql('create database telecine');
    const url = postgres.url('telecine');
    const recorded = await record({ folder: subfolder('service'), env: { TELECINE_DATABASE_URL: url } });
    await postgres.sql(ANONYMOUS, 'telecine');
    write('postgres', recorded, await dumpPostgres(url));
  } finally {
    await postgres.stop();
  }
}

function subfolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

function write(name: DatabaseName, { facts, places }: Awaited<ReturnType<typeof record>>, dump: string): void {
  if (!dump.includes("'PROCESSING'")) throw new Error('The job had ended before the service was dead. Record again.');
  const files = { [`${name}.sql`]: dump, [`${name}.json`]: `${JSON.stringify(facts, null, 2)}\n` };
  for (const [file, content] of Object.entries(files)) {
    const text = withoutPlaces(content, places);
    if (text.includes(folder) || new RegExp(`\\b${hostname()}\\b`).test(text))
      throw new Error(`${file} names the recording machine, "${hostname()}", or ${folder}.`);
    writeFileSync(join(target, file), text);
    console.log(`${join(target, file)}  ${Math.ceil(text.length / 1024)} KiB`);
  }
}
