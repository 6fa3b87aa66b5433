/**
 * Runs `serveGroups` on SQLite: each request is a row, and the requests that arrive together share one commit and one flush.
 * Its arguments are the message of the reply, the padding of the header fields and the folder of its database. It prints its URL.
 */
import { fdatasync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { serveGroups } from './grouping-server.ts';

const [message = '', padding = '', folder = '.'] = process.argv.slice(2);
const path = join(folder, 'durable.sqlite');
const database = new DatabaseSync(path);
database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 100000');
database.exec(
  'create table jobs (job_id text primary key, request text not null, created_at text not null) without rowid',
);
const insert = database.prepare('insert into jobs values (?, ?, ?)');
const [begin, commit] = ['begin immediate', 'commit'].map((text) => database.prepare(text));
const log = openSync(`${path}-wal`, 'r+');
const flush = promisify(fdatasync);

await serveGroups(
  async (group) => {
    begin?.run();
    const createdAt = new Date().toISOString();
    for (const { jobId, request } of group) insert.run(jobId, request, createdAt);
    commit?.run();
    await flush(log);
  },
  { message, padding },
);
