import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { ClientStore, RefreshStore, SigningKeyStore } from '../auth/ports.ts';
import type { IdempotencyStore, JobStore, Transactions } from '../jobs/ports.ts';
import { clientStore } from './clients.ts';
import { idempotencyStore } from './idempotency.ts';
import { jobStore } from './jobs.ts';
import { migrate } from './migrate.ts';
import { refreshStore } from './refresh-tokens.ts';
import type { Schema } from './schema.ts';
import { signingKeyStore } from './signing-keys.ts';
import { SqliteKysely } from './sqlite-kysely.ts';
import type { Database } from './transaction/database.ts';
import { type GroupCommit, groupCommit } from './transaction/group-commit.ts';

/** All that is stored, open. */
export interface Store {
  /** For the queue's engine, which keeps its tickets in the same database. */
  readonly database: Database;
  readonly transactions: Transactions;
  readonly aside: GroupCommit['aside'];
  readonly jobs: JobStore;
  readonly idempotency: IdempotencyStore;
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  readonly signingKeys: SigningKeyStore;
  /** Rejects where the store cannot read, or cannot begin a write. */
  ping(): Promise<void>;
  /** Lets what was asked for end first. */
  close(): Promise<void>;
}

/** How long another process may hold the write lock (it writes one client or so) before a write fails. */
const BUSY_MS = 5000;

/**
 * Opens the SQLite database at `file`, making it (mode 0600) and its folder (0700) where they are not there, and
 * bringing its tables up to this version. Throws where a newer version of telecine has changed it. Several
 * processes may have it open; only one may serve it, see `holdDataFolder`.
 */
export async function openSqlite(file: string): Promise<Store> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  makePrivate(file);
  const writing = connect(file);
  const writer = new SqliteKysely<Schema>(writing);
  try {
    await migrate(writer);
  } catch (cause) {
    writing.close();
    throw cause;
  }
  // Apart from the writer, so that a read in the middle of a group of writes sees none of them.
  const reader = new SqliteKysely<Schema>(connect(file));
  await reader.executeQuery(sql`pragma query_only=on`.compile(reader));
  const transactions = groupCommit(writing, writer);
  const database: Database = { reader, transactions };
  return {
    database,
    transactions,
    aside: transactions.aside,
    jobs: jobStore(database),
    idempotency: idempotencyStore(database),
    clients: clientStore(database),
    refreshTokens: refreshStore(database),
    signingKeys: signingKeyStore(database),
    async ping() {
      await reader.selectFrom('signing_keys').select('kid').limit(1).execute();
      await transactions.run(async () => {});
    },
    async close() {
      await transactions.close();
      await reader.destroy();
      await writer.destroy();
    },
  };
}

/**
 * SQLite gives its side files the mode of the database, so that one must be private from its first moment. One that is
 * there is never opened by hand: closing any descriptor of a file ends all locks that this process has on it (fcntl(2)),
 * those of SQLite's connections too, and the next program that looks into it would take the write-ahead log away.
 */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  chmodSync(file, 0o600);
}

function connect(file: string): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: BUSY_MS });
  // FULL: a commit is on disk when it returns, also through a power cut. The side file shrinks again after a burst.
  connection.exec(
    'pragma journal_mode=wal; pragma synchronous=full; pragma temp_store=memory; pragma journal_size_limit=67108864',
  );
  return connection;
}
