import { chmodSync, closeSync, existsSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { Transactions } from '../../jobs/ports/transactions.ts';
import { createFolder } from '../data-folder.ts';
import { migrate } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { repositories, type Store } from '../store.ts';
import { type Database, withTx, writerOf } from '../transaction/database.ts';
import { compileStatement } from '../transaction/statement.ts';
import { GroupCommit } from './group-commit.ts';
import { logCheckpoints, uncopiedPages } from './log-checkpoints.ts';
import { SqliteKysely } from './sqlite-kysely.ts';

const fdatasyncAsync = promisify(fdatasync);

/**
 * Opens the write-ahead log of the database `file`, to flush it. Call this while a connection is open: SQLite deletes
 * the log with its last connection. Closing the descriptor releases no locks of SQLite, because these are on other
 * files. Flushes the folder, so that the log survives a power failure.
 */
function openWal(file: string) {
  const descriptor = openSync(`${file}-wal`, 'r+');
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
  return {
    /** Flushes all commits to disk, in a thread of Node's pool. */
    sync: () => fdatasyncAsync(descriptor),
    close: () => closeSync(descriptor),
  };
}

/**
 * Returns a function that opens a snapshot of the current state. All reads of this WAL connection see the snapshot,
 * until the function that it returns is called. A read that has not ended keeps the snapshot open: see
 * https://www.sqlite.org/isolation.html.
 */
export function readHolder(reading: DatabaseSync): () => () => void {
  const read = reading.prepare('select rowid from sqlite_schema');
  return () => {
    const rows = read.iterate();
    // The table has more rows, so this read does not end.
    rows.next();
    return () => void rows.return?.();
  };
}

/** How long a write waits for another process, such as a command that adds a client, before it fails. */
const BUSY_MS = 5000;

/**
 * Opens the SQLite database at `file`. Creates it with mode 0600, and its folder with mode 0700. Migrates it unless
 * `migrates` is false. Several processes may open it, but only one may serve from it; see `lockDataFolder`.
 * `onCheckpointFailure`: receives errors of checkpoints, which are repeated after the log has grown. Throws if a newer
 * version has migrated the database and this version cannot use it.
 */
export async function openSqlite(
  file: string,
  {
    migrates = true,
    onCheckpointFailure = () => {},
  }: { readonly migrates?: boolean; readonly onCheckpointFailure?: (error: unknown) => void } = {},
): Promise<Store> {
  createFolder(dirname(file), 0o700);
  makePrivate(file);
  const writing = connect(file);
  const writer = new SqliteKysely<Schema>(writing);
  try {
    if (migrates) await migrate(writer);
  } catch (cause) {
    writing.close();
    throw cause;
  }
  const wal = openWal(file);
  // Use a second connection for reads, so that a read does not see uncommitted writes of a group.
  const reading = connect(file);
  const transactions = new GroupCommit({
    ...{ connection: writing, writer, syncWal: wal.sync, holdReads: readHolder(reading) },
    checkpointIfDue: logCheckpoints(file, { uncopiedPages: uncopiedPages(writing), onError: onCheckpointFailure }),
  });
  const reader = new SqliteKysely<Schema>(reading, () => transactions.readable());
  await reader.executeQuery(sql`pragma query_only=on`.compile(reader));
  const database: Database = {
    reader,
    transactions,
    write: writerOf(transactions),
    ...DIALECT,
    reserveChanges: async (db, count) => {
      const { rows } = await addChanges(db, { count });
      return (rows[0]?.last ?? 0) - count + 1;
    },
  };
  let closed = false;
  return {
    ...repositories(database),
    async ping() {
      // Write first: after a failed flush, reads fail until a write has recovered the log.
      await transactions.run(async () => {});
      await reader.selectFrom('signing_keys').select('kid').limit(1).execute();
    },
    async close() {
      if (closed) return;
      closed = true;
      await transactions.close();
      wal.close();
      await reader.destroy();
      await writer.destroy();
    },
  };
}

/**
 * Reserves the change numbers of new jobs. Otherwise, a trigger would number each inserted row, by writing the row a
 * second time.
 */
const addChanges = compileStatement((db, { count }: { readonly count: number }) =>
  db
    .updateTable('installation')
    .set((e) => ({ change_base: e('change_base', '+', count) }))
    .returning('change_base as last'),
);

const DIALECT: Pick<Database, 'preparesStatements' | 'openChanges' | 'now'> = {
  preparesStatements: true,
  openChanges: sql`(select cast(change_base + 1 as text) from installation)`,
  now: (seconds = 0) => sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`${seconds} seconds`})`,
};

/**
 * Opens the SQLite database `file` for a command that only reads. Creates, migrates and writes nothing: SQLite rejects
 * each write. A service may have the database open.
 */
export function readSqlite(file: string): Store {
  const address = pathToFileURL(file);
  // Without a log, no process uses the file. SQLite would create a log even to read, which may belong to another user
  // than the service.
  if (!existsSync(`${file}-wal`)) address.search = 'immutable=1';
  const connection = new DatabaseSync(address, { readOnly: true, timeout: BUSY_MS });
  const reader = new SqliteKysely<Schema>(connection);
  const transactions: Transactions = { run: (unit) => withTx(reader, unit) };
  return {
    ...repositories({ reader, transactions, write: writerOf(transactions), ...DIALECT }),
    ping: async () => void (await reader.selectFrom('installation').select('id').execute()),
    close: async () => connection.close(),
  };
}

/**
 * Creates the database with mode 0600, which SQLite also uses for the `-wal` and `-shm` files. Must not open an
 * existing database: closing the descriptor would release all locks of this process on the file (fcntl(2)), also those
 * of SQLite, and the next program would delete the log.
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
  // With NORMAL, SQLite flushes only at checkpoints: `GroupCommit` flushes after commits, and `logCheckpoints` runs
  // checkpoints in a thread. In case no thread can start, SQLite itself runs a checkpoint after 50,000 pages. The size
  // limit makes the log shrink after a burst.
  connection.exec(
    `pragma journal_mode=wal; pragma synchronous=normal; pragma wal_autocheckpoint=50000;
     pragma temp_store=memory; pragma journal_size_limit=67108864`,
  );
  return connection;
}
