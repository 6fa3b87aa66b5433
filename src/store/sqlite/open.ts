import { chmodSync, closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { createFolder } from '../create-folder.ts';
import { migrate } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { repositories, type Store } from '../store.ts';
import type { Database } from '../transaction/database.ts';
import { compileStatement } from '../transaction/statement.ts';
import { writerOf } from '../transaction/tx.ts';
import { groupCommit } from './group-commit.ts';
import { logCheckpoints, uncopiedPages } from './log-checkpoints.ts';
import { readHolder } from './read-holder.ts';
import { SqliteKysely } from './sqlite-kysely.ts';
import { openWal } from './wal-file.ts';

/** How long a write waits for another process, for example one that adds a client, before it fails. */
const BUSY_MS = 5000;

/**
 * Opens the SQLite database at `file` and migrates it to this version. Creates a missing file (mode 0600) and folder
 * (0700). Throws if a newer version of telecine has migrated the file. Several processes may have the database open,
 * but only one may serve it: see `lockDataFolder`. If `migrates` is false, the tables stay as they are. A failed checkpoint is tried
 * again when the write-ahead log has grown.
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
  // A separate connection, so that a read does not see the uncommitted writes of a group.
  const reading = connect(file);
  const transactions = groupCommit({
    ...{ connection: writing, writer, syncWal: wal.sync, holdReads: readHolder(reading) },
    checkpointIfDue: logCheckpoints(file, { uncopiedPages: uncopiedPages(writing), onError: onCheckpointFailure }),
  });
  const reader = new SqliteKysely<Schema>(reading, transactions.readable);
  await reader.executeQuery(sql`pragma query_only=on`.compile(reader));
  const database: Database = {
    reader,
    transactions,
    write: writerOf(transactions),
    preparesStatements: true,
    firstOpenChange: sql`(select change_base + 1 from installation)`,
    reserveChanges: async (db, count) => {
      const { rows } = await addChanges(db, { count });
      return (rows[0]?.last ?? 0) - count + 1;
    },
    now: (seconds = 0) => sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`${seconds} seconds`})`,
  };
  // Without a number, a trigger counts each inserted row and writes the row a second time.
  const addChanges = compileStatement(({ count }: { readonly count: number }) =>
    writer
      .updateTable('installation')
      .set((e) => ({ change_base: e('change_base', '+', count) }))
      .returning('change_base as last'),
  );
  let closed = false;
  return {
    ...repositories(database),
    async ping() {
      // Writes first: after a failed flush, a write recovers the store, and until then every read fails.
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
 * Creates the database with mode 0600. SQLite gives the `-wal` and `-shm` files the mode of the database, so it must be
 * private from the start. Never opens an existing database itself: closing any descriptor of a file releases all locks
 * of this process on that file (fcntl(2)), including those of SQLite's connections. The next program that opens the
 * database would then delete the write-ahead log.
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
  // NORMAL: SQLite flushes the log only at checkpoints, and `groupCommit` flushes it after commits. `logCheckpoints`
  // runs checkpoints in a thread, because each blocks. SQLite's own (after 50,000 pages, 200 MB) are for the case that no
  // thread can start. The size limit makes the log shrink after a burst.
  connection.exec(
    `pragma journal_mode=wal; pragma synchronous=normal; pragma wal_autocheckpoint=50000;
     pragma temp_store=memory; pragma journal_size_limit=67108864`,
  );
  return connection;
}
