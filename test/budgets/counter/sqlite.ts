import { syncBuiltinESMExports } from 'node:module';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { caller, count, withoutCounting } from './counts.ts';

/**
 * Statements that are not counted. Two of the pragmas only read shared memory, in a microsecond: `data_version` tells whether another
 * process has committed, `wal_checkpoint(noop)` how much of the log is not in the database.
 */
const CONTROL =
  /^\s*(?:begin|commit|end|rollback|savepoint|release|pragma data_version|pragma wal_checkpoint\(noop)\b/i;
const FUNCTION = 'telecine_count_row';

/** Counts the statements that run on SQLite, and the rows that they and the triggers of the schema write. */
export function countSqlite(): void {
  const sqlite = process.getBuiltinModule('node:sqlite');
  const Database = sqlite.DatabaseSync;
  const prototype = sqlite.StatementSync.prototype;
  for (const name of ['run', 'get', 'all', 'iterate'] as const) {
    const run = prototype[name] as (...values: unknown[]) => unknown;
    Object.assign(prototype, {
      [name](this: StatementSync, ...values: unknown[]) {
        countStatement(this.sourceSQL);
        return Reflect.apply(run, this, values);
      },
    });
  }
  sqlite.DatabaseSync = class extends Database {
    #countsRows = false;

    // Not when it is opened: the pragma temp_store removes triggers.
    override prepare(...args: Parameters<DatabaseSync['prepare']>): StatementSync {
      if (!this.#countsRows) {
        this.#countsRows = true;
        withoutCounting(() => countRows(this));
      }
      return super.prepare(...args);
    }

    override exec(text: string): void {
      countStatement(text);
      super.exec(text);
    }
  };
  syncBuiltinESMExports();
}

function countStatement(text: string): void {
  if (!CONTROL.test(text)) count('SQL statements', `${text}${caller()}`);
}

/** Adds triggers of this connection alone, for the tables that exist. A trigger of the schema runs them too. */
function countRows(database: DatabaseSync): void {
  database.function(FUNCTION, (table, verb) => {
    count('rows written', `${table} ${verb}`);
    return null;
  });
  const tables = database
    .prepare(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and sql not like '%virtual%'`,
    )
    .all();
  for (const { name } of tables)
    for (const verb of ['insert', 'update', 'delete'])
      database.exec(
        `create temp trigger "count_${verb}_${name}" after ${verb} on main."${name}"
         begin select ${FUNCTION}('${name}', '${verb}'); end`,
      );
}
