import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { JobQueue, Tx } from '../jobs/ports.ts';
import { MoveRefused } from './move-refused.ts';
import type { Schema } from './schema.ts';
import type { Store } from './store.ts';
import { dbOf } from './transaction/tx.ts';

/** The tables that are copied, each with the columns of its primary key. The queue is filled from the tickets. */
const TABLES = {
  installation: ['id'],
  signing_keys: ['kid'],
  clients: ['client_id'],
  refresh_tokens: ['token_hash'],
  jobs: ['job_id'],
  job_logs: ['job_id'],
  idempotency_keys: ['client_id', 'idempotency_key'],
} as const satisfies Partial<Record<keyof Schema, readonly string[]>>;

type TableName = keyof typeof TABLES;

/** The rows per statement. PostgreSQL allows 65,535 parameters in one. */
const BATCH = 500;

/** The number of copied rows by table. */
export type MovedRows = Readonly<Record<TableName | 'tickets', number>>;

/**
 * Copies everything from one store to another one in one transaction, so that a failure leaves the target as it was.
 * Compares the number and the hash of the rows of each table before the commit. No service may run on either store.
 *
 * @throws `MoveRefused` if the target is not empty, or if a copy differs.
 */
export function moveStore(
  source: Store,
  target: { readonly store: Store; readonly queue: Pick<JobQueue, 'enqueue'> },
): Promise<MovedRows> {
  const from = source.database.reader;
  return target.store.transactions.run(async (tx) => {
    const to = dbOf(tx);
    await requireEmpty(to);
    await to.deleteFrom('installation').execute();
    const rows: Partial<Record<TableName | 'tickets', number>> = {};
    for (const table of Object.keys(TABLES) as TableName[]) {
      const copied = await copyTable(from, to, table);
      const kept = await digest(to, table);
      if (copied.count !== kept.count || copied.hash !== kept.hash)
        throw new MoveRefused(
          `The table ${table} has ${copied.count} rows, and its copy has ${kept.count} rows or other contents. Nothing was moved.`,
        );
      rows[table] = copied.count;
    }
    rows.tickets = await copyTickets(from, target.queue, tx);
    return rows as MovedRows;
  });
}

async function requireEmpty(to: Kysely<Schema>): Promise<void> {
  for (const table of ['jobs', 'clients', 'signing_keys'] as const) {
    const [row] = await to.selectFrom(table).select(sql.lit(1).as('one')).limit(1).execute();
    if (row !== undefined)
      throw new MoveRefused(
        `The database of TELECINE_DATABASE_URL has ${table.replace('_', ' ')} already: a service was started on it, or the move is done. Create an empty database for the move.`,
      );
  }
}

interface Digest {
  readonly count: number;
  readonly hash: string;
}

/** Reads a table in the order of its key, in batches. */
async function* readTable(
  db: Kysely<Schema>,
  table: TableName,
): AsyncGenerator<readonly Readonly<Record<string, unknown>>[]> {
  const key = TABLES[table];
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let last: readonly unknown[] | undefined;
  for (;;) {
    const after = last === undefined ? sql`` : sql`where (${columns}) > (${sql.join(last)})`;
    const { rows } = await sql<Readonly<Record<string, unknown>>>`
      select * from ${sql.table(table)} ${after} order by ${columns} limit ${sql.lit(BATCH)}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    last = key.map((column) => rows.at(-1)?.[column]);
  }
}

const addToHash = (hash: ReturnType<typeof createHash>, rows: readonly Readonly<Record<string, unknown>>[]): void => {
  for (const row of rows)
    hash.update(
      JSON.stringify(
        Object.keys(row)
          .toSorted()
          .map((name) => [name, row[name]]),
      ),
    );
};

async function copyTable(from: Kysely<Schema>, to: Kysely<Schema>, table: TableName): Promise<Digest> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of readTable(from, table)) {
    await to
      .insertInto(table)
      .values(rows as never)
      .execute();
    addToHash(hash, rows);
    count += rows.length;
  }
  return { count, hash: hash.digest('hex') };
}

async function digest(db: Kysely<Schema>, table: TableName): Promise<Digest> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of readTable(db, table)) {
    addToHash(hash, rows);
    count += rows.length;
  }
  return { count, hash: hash.digest('hex') };
}

/** Queues also the tickets that a worker had when its service was killed: their jobs are then taken over. */
async function copyTickets(from: Kysely<Schema>, queue: Pick<JobQueue, 'enqueue'>, tx: Tx): Promise<number> {
  const rows = await from.selectFrom('tickets').select(['job_id', 'client_id', 'place']).execute();
  const tickets = rows.map((row) => ({ jobId: row.job_id, clientId: row.client_id, fairnessRank: row.place }));
  for (let done = 0; done < tickets.length; done += BATCH) await queue.enqueue(tx, tickets.slice(done, done + BATCH));
  return tickets.length;
}
