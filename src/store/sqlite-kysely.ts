import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  type Compilable,
  type CompiledQuery,
  type DialectAdapter,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely';

/** Texts that are kept prepared. The product has some 60; lists of varying length make a few more. */
const PREPARED_LIMIT = 500;

interface Prepared {
  readonly statement: StatementSync;
  /** It has columns: a query, or a write with RETURNING. */
  readonly reader: boolean;
}

/** What Kysely's dialect takes for a database; statements are prepared once and found again by their text. */
function preparing(connection: DatabaseSync) {
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
  return {
    close: () => connection.close(),
    prepare(text: string) {
      // A transaction that reads first and writes later meets SQLITE_BUSY without waiting when another process
      // wrote in between: the write lock is taken at once.
      const { statement, reader } = prepare(text === 'begin' ? 'begin immediate' : text);
      return {
        reader,
        all: (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[])),
        run: (values: readonly unknown[]) => statement.run(...(values as SQLInputValue[])),
        iterate: (values: readonly unknown[]) => statement.iterate(...(values as SQLInputValue[])),
      };
    },
  };
}

/**
 * Kysely on one connection of node:sqlite. Whoever writes with it keeps the order of transactions himself, as
 * `groupCommit` does: a compiled query goes to SQLite at once, and not through Kysely's queue for the connection,
 * which costs more than most statements do.
 */
export class SqliteKysely<DB> extends Kysely<DB> {
  readonly #database: ReturnType<typeof preparing>;

  constructor(connection: DatabaseSync) {
    const database = preparing(connection);
    super({ dialect: new TransactionalDialect({ database }) });
    this.#database = database;
  }

  override async executeQuery<R>(query: CompiledQuery<R> | Compilable<R>): Promise<QueryResult<R>> {
    const { sql, parameters } = 'compile' in query ? query.compile() : query;
    const statement = this.#database.prepare(sql);
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
  }
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
