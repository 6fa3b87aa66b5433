/**
 * A minimal Fastify server that stores each request durably before it replies: one row a request, one commit and one flush for all
 * that arrive together. It has no authentication, no validation, no queue and no log: the least that any such service does.
 * Its arguments are the message of the reply, the padding of the header fields and the folder of its database. It prints its URL.
 */
import { randomUUID } from 'node:crypto';
import { fdatasync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import Fastify from 'fastify';

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

let waiting: { readonly jobId: string; readonly request: string; readonly resolve: (jobId: string) => void }[] = [];
let isRunning = false;

async function store(): Promise<void> {
  isRunning = true;
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    begin?.run();
    const createdAt = new Date().toISOString();
    for (const { jobId, request } of group) insert.run(jobId, request, createdAt);
    commit?.run();
    await flush(log);
    for (const { jobId, resolve } of group) resolve(jobId);
    await new Promise(setImmediate);
  }
  isRunning = false;
}

const app = Fastify({ logger: false });
app.post('/api/conversion', async (request, reply) => {
  const jobId = await new Promise<string>((resolve) => {
    waiting.push({ jobId: randomUUID(), request: JSON.stringify(request.body), resolve });
    if (!isRunning) setImmediate(() => void store());
    isRunning = true;
  });
  reply.code(202);
  if (padding !== '') reply.header('x-padding', padding);
  return { jobId, status: 'PENDING', message };
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
