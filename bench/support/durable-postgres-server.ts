/**
 * Runs `serveGroups` on PostgreSQL: the requests that arrive together share one insert and one commit, on one connection.
 * Its arguments are the message of the reply and the URL of an empty database. It prints its own URL.
 */
import { Client } from 'pg';
import { serveGroups } from './grouping-server.ts';

const [message = '', database = ''] = process.argv.slice(2);
const client = new Client({ connectionString: database });
await client.connect();
await client.query('create table jobs (job_id text primary key, request text not null, created_at text not null)');
const INSERT = {
  name: 'insert',
  text: 'insert into jobs select id, request, $3 from unnest($1::text[], $2::text[]) as j (id, request)',
};

await serveGroups(
  async (group) => {
    const values = [group.map(({ jobId }) => jobId), group.map(({ request }) => request), new Date().toISOString()];
    // This commits at once, because the statement is outside a transaction.
    await client.query({ ...INSERT, values });
  },
  { message },
);
