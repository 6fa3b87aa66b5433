/** Does a known amount of work of each kind that the counter counts, to test the counter. */
import { spawn } from 'node:child_process';
import { accessSync, mkdirSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { access, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const folder = process.env['TELECINE_DATA_DIR'] ?? '';
const database = new DatabaseSync(join(folder, 'known.db'));
database.exec(
  'pragma temp_store=memory; create table a (id integer primary key); create table b (id integer primary key);',
);
database.exec('create trigger copies after insert on a begin insert into b values (new.id); end');
const insert = database.prepare('insert into a values (?)');
const all = database.prepare('select * from a');

const client = new Client({ connectionString: process.env['KNOWN_DATABASE_URL'] });
await client.connect();
await client.query('create table c (id integer); create table d (id integer)');

/** The work that `budgets.test.ts` expects the counts of. */
async function work(): Promise<void> {
  accessSync(folder);
  await access(folder);
  accessSync('/usr');
  mkdirSync(join(folder, 'new'));
  await writeFile(join(folder, 'new/file'), 'text');
  const file = await open(join(folder, 'new/file'), 'r+');
  await file.sync();
  await file.close();
  readFileSync(join(folder, 'new/file'), 'utf8');
  await readFile('/proc/self/stat');
  readlinkSync('/proc/self/exe');
  accessSync('/proc/1/status');
  const opened = openSync(folder, 'r');
  accessSync(`/proc/self/fd/${opened}/new`);
  accessSync(`/proc/${process.pid}/fd/${opened}/new`);
  spawn('true', ['a']);
  database.exec('begin');
  for (const id of [1, 2, 3]) insert.run(id);
  database.exec('commit');
  all.all();
  await client.query('begin; insert into c values (1), (2); update c set id = 3; commit');
  await client.query('select $1::int', [1]);
  // A short wait ends although the clock stands still.
  await sleep(500);
  accessSync(folder);
}

// Not counted: the clock stands still. It also keeps the process until it is killed.
setInterval(() => accessSync(folder), 10);
process.once('message', () => process.once('message', () => void work()));
process.send?.('ready');
