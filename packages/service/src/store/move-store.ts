import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { JobQueue } from '../jobs/ports/job-queue.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import { markMoved } from './migrate.ts';
import { MoveRefused } from './operator-errors.ts';
import type { Schema } from './schema.ts';
import type { Store } from './store.ts';
import { dbOf } from './transaction/database.ts';

/** The tables that a move copies, with their primary keys. */
export const MOVED_TABLES = {
  installation: ['id'],
  signing_keys: ['kid'],
  clients: ['client_id'],
  client_usage: ['client_id', 'day'],
  job_history: ['step', 'at', 'event', 'code'],
  storage_use: ['client_id'],
  refresh_tokens: ['token_hash'],
  jobs: ['job_id'],
  job_logs: ['job_id'],
  job_outputs: ['job_id', 'first'],
  job_measurements: ['job_id', 'list', 'first'],
  job_metadata: ['job_id', 'pair_hash'],
  batches: ['batch_id'],
  job_dependencies: ['parent_id', 'job_id'],
  output_expiries: ['job_id'],
  deleted_jobs: ['job_id'],
  idempotency_keys: ['client_id', 'idempotency_key'],
  // A move does not copy media. The moved installation uses the same S3, and removes the parts of uploads that killed
  // services left there.
  output_uploads: ['job_id', 'fence', 'bucket', 'key'],
  leases: ['name'],
  audit: ['audit_id'],
  // The parts of uploads are not moved: they are on S3, or in a folder with the id of the installation.
  resumable_uploads: ['upload_id'],
  used_links: ['link_id'],
  shares: ['share_id'],
  sessions: ['session_hash'],
  own_recipes: ['client_id', 'name'],
  watches: ['watch_id'],
  watched_files: ['watch_id', 'path'],
  watch_outputs: ['client_id', 'path'],
  webhook_endpoints: ['webhook_id'],
  webhook_secrets: ['owner', 'secret'],
  webhook_messages: ['message_id'],
  webhook_deliveries: ['delivery_id'],
} as const satisfies Partial<Record<keyof Schema, readonly string[]>>;

/** The tables that a move does not copy, and why. `event_counts` exists only on PostgreSQL. */
export const TABLES_LEFT_BEHIND: Readonly<
  Record<Exclude<keyof Schema, keyof typeof MOVED_TABLES> | 'event_counts', string>
> = {
  storage_reservations: 'The uploads and jobs that made them have ended with the service.',
  tickets: 'The queue of the target is filled from the jobs.',
  job_intents: 'They exist only while their jobs publish, and none does during a move.',
  client_turns: 'At the start, all clients have the same turn.',
  output_reservations: 'They count only while their jobs run, and none runs during a move.',
  measured_kinds: 'The jobs of the target show it again.',
  workers: 'Each worker registers when it starts, under a new id.',
  catalogues: 'Each worker registers the catalogue of its ffmpeg when it starts.',
  job_texts: 'The target writes them again, from the jobs.',
  job_text_position: 'It is at the start until the target has written the texts.',
  job_chunks: 'A job encodes again what no file of a move contains.',
  tasks: 'The requests that waited for them have ended with the service.',
  event_counts: 'A service on SQLite counts events in memory.',
};

type TableName = keyof typeof MOVED_TABLES;

/** The maximum number of rows per statement. PostgreSQL allows 65,535 parameters per statement. */
const MAX_ROWS = 500;

/** The maximum number of characters per statement. A single row, such as one with a long log, may have more. */
const MAX_CHARACTERS = 1_000_000;

type MovedRows = Readonly<Record<TableName | 'tickets', number>>;

/**
 * Copies an SQLite store to another store in one transaction. Before the commit, compares the number and the hash of
 * the rows of each table. After the commit, marks the source as moved to `name`. Holds the write lock of the source
 * meanwhile, so that no write is lost. If an earlier call ended between the commit and the mark, only sets the mark and
 * resolves to undefined.
 *
 * @throws `MoveRefused` if jobs of the source are running, if the target is not empty, or if a copy differs.
 */
export function moveStore(
  source: Store,
  target: { readonly store: Store; readonly queue: Pick<JobQueue, 'enqueue'>; readonly name: string },
): Promise<MovedRows | undefined> {
  return source.transactions.run(async (sourceTx) => {
    const from = dbOf(sourceTx);
    const rows = await target.store.transactions.run(async (tx) => {
      if (await isCopyOf(from, dbOf(tx))) return undefined;
      await requireNoneRunning(from);
      return copyAll(source, from, tx, target.queue);
    });
    await markMoved(from, target.name);
    return rows;
  });
}

async function copyAll(
  source: Store,
  from: Kysely<Schema>,
  tx: Tx,
  queue: Pick<JobQueue, 'enqueue'>,
): Promise<MovedRows> {
  const to = dbOf(tx);
  await requireEmpty(to);
  await to.deleteFrom('installation').execute();
  const rows: Partial<Record<TableName | 'tickets', number>> = {};
  for (const table of Object.keys(MOVED_TABLES) as TableName[]) {
    const copied = await copyTable(from, to, table);
    const copy = await digest(to, table);
    if (copied.count !== copy.count || copied.hash !== copy.hash)
      throw new MoveRefused(
        `The table ${table} has ${copied.count} rows, and its copy has ${copy.count} rows or other contents. ` +
          'Nothing was moved.',
      );
    rows[table] = copied.count;
  }
  rows.tickets = await addTickets(source, queue, tx);
  return rows as MovedRows;
}

/** Returns whether the target has the id of the source, which it has only after a finished move. */
async function isCopyOf(from: Kysely<Schema>, to: Kysely<Schema>): Promise<boolean> {
  const idOf = (db: Kysely<Schema>) => db.selectFrom('installation').select('id').executeTakeFirst();
  const [source, target] = [await idOf(from), await idOf(to)];
  return source !== undefined && source.id === target?.id;
}

/**
 * Throws if a killed service left running jobs or half-published files. Only a service on the source would find the
 * files of these jobs.
 */
async function requireNoneRunning(from: Kysely<Schema>): Promise<void> {
  const { count } = await from
    .selectFrom('jobs')
    .select(sql<number>`count(*)`.as('count'))
    .where((e) => e.or([e('status', '=', 'PROCESSING'), e('intent', 'is not', null)]))
    .executeTakeFirstOrThrow();
  if (count > 0)
    throw new MoveRefused(
      `The service was killed while it ran jobs (${count}). Start it without TELECINE_DATABASE_URL, ` +
        'stop it when they run again or have finished, then move.',
    );
}

async function requireEmpty(to: Kysely<Schema>): Promise<void> {
  for (const table of ['jobs', 'clients', 'signing_keys'] as const) {
    const [row] = await to.selectFrom(table).select(sql.lit(1).as('one')).limit(1).execute();
    if (row !== undefined)
      throw new MoveRefused(
        `The database of TELECINE_DATABASE_URL has ${table.replace('_', ' ')} already: a service was started on it, ` +
          'or another installation was moved to it. Create an empty database for the move.',
      );
  }
}

interface Digest {
  readonly count: number;
  readonly hash: string;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Reads a table in the order of its key, in batches. A batch has at most `MAX_ROWS` rows, and at most `MAX_CHARACTERS`
 * unless it is a single row.
 */
async function* readTable(
  db: Kysely<Schema>,
  table: keyof Schema,
  key: readonly string[],
): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let last: readonly unknown[] | undefined;
  for (;;) {
    const after = last === undefined ? sql`` : sql`where (${columns}) > (${sql.join(last)})`;
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} ${after} order by ${columns} limit ${sql.lit(MAX_ROWS)}`.execute(db);
    yield* splitBySize(rows);
    if (rows.length < MAX_ROWS) return;
    last = key.map((column) => rows.at(-1)?.[column]);
  }
}

/** Splits rows into batches of at most `MAX_CHARACTERS`. A larger row is a batch of its own. */
export function splitBySize(rows: readonly Row[]): readonly (readonly Row[])[] {
  const batches: Row[][] = [];
  let room = 0;
  for (const row of rows) {
    const size = Object.values(row).reduce<number>((sum, value) => sum + String(value).length, 0);
    room -= size;
    if (room >= 0) batches.at(-1)?.push(row);
    else {
      batches.push([row]);
      room = MAX_CHARACTERS - size;
    }
  }
  return batches;
}

const addToHash = (hash: ReturnType<typeof createHash>, rows: readonly Row[]): void => {
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
  return digest(from, table, async (rows) => {
    await to
      .insertInto(table)
      .values(rows as never)
      .execute();
  });
}

/** Counts and hashes the rows of a table. Calls `onRows` with each batch. */
async function digest(
  db: Kysely<Schema>,
  table: TableName,
  onRows: (rows: readonly Row[]) => Promise<void> = async () => {},
): Promise<Digest> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of readTable(db, table, MOVED_TABLES[table])) {
    await onRows(rows);
    addToHash(hash, rows);
    count += rows.length;
  }
  return { count, hash: hash.digest('hex') };
}

/** Adds the tickets of the queued jobs to the queue of the target. */
async function addTickets({ jobs }: Store, queue: Pick<JobQueue, 'enqueue'>, tx: Tx): Promise<number> {
  let count = 0;
  for (let last = ''; ; ) {
    const tickets = await jobs.ticketsOf(last, MAX_ROWS);
    if (tickets.length > 0) await queue.enqueue(tx, tickets);
    count += tickets.length;
    last = tickets.at(-1)?.jobId ?? last;
    if (tickets.length < MAX_ROWS) return count;
  }
}
