import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Dialect, type DialectAdapter, SqliteAdapter, SqliteDialect } from 'kysely';

/** Texts that are kept prepared. The product has some 60; lists of varying length make a few more. */
const PREPARED_LIMIT = 500;

interface Prepared {
  readonly statement: StatementSync;
  /** It has columns: a query, or a write with RETURNING. */
  readonly reader: boolean;
}

/** node:sqlite behind Kysely's own dialect; statements are prepared once and found again by their text. */
export function sqliteDialect(connection: DatabaseSync): Dialect {
  const cache = new Map<string, Prepared>();
  const prepare = (text: string): Prepared => {
    const hit = cache.get(text);
    if (hit !== undefined) return hit;
    const statement = connection.prepare(text);
    const made = { statement, reader: statement.columns().length > 0 };
    if (cache.size >= PREPARED_LIMIT) cache.clear();
    cache.set(text, made);
    return made;
  };
  return new TransactionalDialect({
    database: {
      close: () => connection.close(),
      prepare(text) {
        // A transaction that reads first and writes later meets SQLITE_BUSY without waiting when another process
        // wrote in between: the write lock is taken at once.
        const { statement, reader } = prepare(text === 'begin' ? 'begin immediate' : text);
        return {
          reader,
          all: (values) => statement.all(...(values as SQLInputValue[])),
          run: (values) => statement.run(...(values as SQLInputValue[])),
          iterate: (values) => statement.iterate(...(values as SQLInputValue[])),
        };
      },
    },
  });
}

/**
 * SQLite undoes changes of tables as it does any other, though Kysely does not count on it: a migration that is cut
 * short leaves nothing, and of two processes that start on a new file one waits for the other.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class TransactionalDialect extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }
}
