import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';

/**
 * The maximum number of cached prepared statements. The service uses about 60, plus some for lists of different
 * lengths.
 */
const PREPARED_LIMIT = 500;

interface Prepared {
  readonly statement: StatementSync;
  /** true: the statement returns rows. It is a query, or a write with RETURNING. */
  readonly reader: boolean;
}

type Readable = () => Promise<void> | undefined;

/** Gives Kysely's dialect the connection, and prepares each SQL text only once. */
function statementCache(connection: DatabaseSync) {
  const cache = new Map<string, Prepared>();
  const prepare = (text: string): Prepared => {
    const hit = cache.get(text);
    if (hit !== undefined) return hit;
    const statement = connection.prepare(text);
    const prepared = { statement, reader: statement.columns().length > 0 };
    if (cache.size >= PREPARED_LIMIT) cache.clear();
    cache.set(text, prepared);
    return prepared;
  };
  return {
    close: () => connection.close(),
    prepare(text: string) {
      // Take the write lock at the beginning. If a transaction begins with a read and another process writes then, a
      // write of this transaction fails with SQLITE_BUSY.
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

type RunQuery = <R>(query: CompiledQuery) => Promise<QueryResult<R>>;

/**
 * Kysely on one connection of node:sqlite. Compiled queries bypass Kysely's queue, which takes more time than most
 * statements. Therefore, the caller must run only one transaction at a time, as `GroupCommit` does.
 */
export class SqliteKysely<DB> extends Kysely<DB> {
  readonly #run: RunQuery;

  /** `readable`: called and awaited before each query. */
  constructor(connection: DatabaseSync, readable: Readable = () => undefined) {
    const database = statementCache(connection);
    const run: RunQuery = async <R>({ sql, parameters }: CompiledQuery) => {
      const wait = readable();
      if (wait !== undefined) await wait;
      const statement = database.prepare(sql);
      if (!statement.reader) return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
      return { rows: statement.all(parameters) as R[] };
    };
    super({ dialect: sharedDialect({ database }, run) });
    this.#run = run;
  }

  override executeQuery<R>(query: CompiledQuery<R> | Compilable<R>): Promise<QueryResult<R>> {
    return this.#run('compile' in query ? query.compile() : query);
  }
}

/**
 * Makes Kysely run migrations in a transaction. So an interrupted migration changes nothing, and two processes cannot
 * migrate at the same time.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Creates a dialect whose query builders run their queries like `SqliteKysely` runs compiled queries. */
function sharedDialect(config: SqliteDialectConfig, run: RunQuery): SqliteDialect {
  class SharedDriver extends SqliteDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      const connection = await super.acquireConnection();
      return { executeQuery: run, streamQuery: (...args) => connection.streamQuery(...args) };
    }
  }
  return Object.assign(new SqliteDialect(config), {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new SharedDriver(config),
  });
}
