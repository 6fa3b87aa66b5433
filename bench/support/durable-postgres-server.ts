/**
 * A minimal Fastify server that stores each request in PostgreSQL before it replies: one insert and one commit for all that arrive
 * together, on one connection. It has no authentication, no validation, no queue and no log: the least that any such service does.
 * Its arguments are the message of the reply and the URL of an empty database. It prints its own URL.
 */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { Client } from 'pg';

const [message = '', database = ''] = process.argv.slice(2);
const client = new Client({ connectionString: database });
await client.connect();
await client.query('create table jobs (job_id text primary key, request text not null, created_at text not null)');
const INSERT = {
  name: 'insert',
  text: 'insert into jobs select id, request, $3 from unnest($1::text[], $2::text[]) as j (id, request)',
};

let waiting: { readonly jobId: string; readonly request: string; readonly resolve: (jobId: string) => void }[] = [];
let isRunning = false;

async function store(): Promise<void> {
  isRunning = true;
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    const values = [group.map(({ jobId }) => jobId), group.map(({ request }) => request), new Date().toISOString()];
    // A statement of its own is a transaction, with its commit.
    await client.query({ ...INSERT, values });
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
  return { jobId, status: 'PENDING', message };
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
