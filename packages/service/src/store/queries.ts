import { isFinished, JOB_STATUSES, type JobStatus } from '@telecine/contract/domain/states.ts';
import {
  type Compilable,
  type Expression,
  expressionBuilder,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';

type Db = Kysely<Schema>;

/**
 * The maximum number of rows per statement. Databases limit the number of parameters. Some chunks are also
 * transactions, which block the event loop.
 */
const MAX_ROWS = 500;

/** Splits rows into chunks that are small enough for one statement. */
export const chunksOf = <T>(rows: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(rows.length / MAX_ROWS) }, (_, i) => rows.slice(i * MAX_ROWS, (i + 1) * MAX_ROWS));

/** Selects the number of rows as `count`. The cast is needed because PostgreSQL returns a bigint as text. */
export const countOfRows = sql<number>`cast(count(*) as integer)`.as('count');

export const countOf = async <O>(db: Db, rows: SelectQueryBuilder<Schema, never, O>): Promise<number> =>
  (await db.selectFrom(rows.as('counted')).select(countOfRows).executeTakeFirstOrThrow()).count;

/** Values for some columns of a table. null matches rows in which the column is null. */
type Values<T extends keyof Schema> = { readonly [C in keyof Selectable<Schema[T]>]?: Selectable<Schema[T]>[C] };

/**
 * Returns the condition that a row has these values. Throws if a value is undefined or there are no values, because the
 * statement would then affect all rows.
 */
export function hasValues<T extends keyof Schema>(values: Values<T>): Expression<SqlBool> {
  const all = Object.values(values);
  if (all.length === 0 || all.includes(undefined)) throw new Error('A statement would be about all rows of a table.');
  return expressionBuilder<Schema, 'jobs'>().and(values as Values<'jobs'>);
}

/** Reads the row with these values. undefined: there is none. */
export const findRow = <T extends keyof Schema>(
  db: Db,
  table: T,
  values: Values<T>,
): Promise<Selectable<Schema[T]> | undefined> =>
  db
    .selectFrom(table as 'jobs')
    .selectAll()
    .where(hasValues(values))
    .executeTakeFirst() as Promise<unknown> as Promise<Selectable<Schema[T]> | undefined>;

/** Counts the rows with these values. */
export const countRows = async <T extends keyof Schema>(db: Db, table: T, values: Values<T>): Promise<number> => {
  const rows = db.selectFrom(table as 'jobs').select(countOfRows);
  return (await rows.where(hasValues(values)).executeTakeFirstOrThrow()).count;
};

/** Runs a write without RETURNING. Resolves to the number of rows that it changed. */
export const rowsChanged = async (db: Db, write: Compilable): Promise<number> =>
  Number((await db.executeQuery(write)).numAffectedRows ?? 0n);

/** The values of the row that an insert could not add, for use in ON CONFLICT. */
export const excluded = <C extends string>(...columns: readonly C[]) =>
  Object.fromEntries(columns.map((name) => [name, sql.ref(`excluded.${name}`)])) as Record<C, RawBuilder<never>>;

/** Deletes the rows with these values. Resolves to the number of deleted rows. */
export async function deleteRows<T extends keyof Schema>(db: Db, table: T, values: Values<T>): Promise<number> {
  return rowsChanged(db, db.deleteFrom(table as 'jobs').where(hasValues(values)));
}

/** Sets columns of the rows with these values. Resolves to the number of changed rows. */
export async function updateRows<T extends keyof Schema>(
  db: Db,
  table: T,
  set: {
    readonly [C in keyof Selectable<Schema[T]>]?: Selectable<Schema[T]>[C] | Expression<Selectable<Schema[T]>[C]>;
  },
  values: Values<T>,
): Promise<number> {
  const rows = db.updateTable(table as 'jobs').set(set as Values<'jobs'>);
  return rowsChanged(db, rows.where(hasValues(values)));
}

/**
 * Runs `removeSome` in one transaction after the other, until it removes fewer than `batch` rows. So no transaction
 * makes others wait for long. Resolves to the number of all removed rows.
 */
export async function removeInBatches(
  { write }: Pick<Database, 'write'>,
  batch: number,
  removeSome: (db: Db) => Promise<number>,
): Promise<number> {
  for (let all = 0; ; ) {
    const removed = await write(removeSome);
    all += removed;
    if (removed < batch) return all;
  }
}

export const FINISHED_STATUSES = JOB_STATUSES.filter(isFinished);

/** The status is in the SQL text, not in a parameter. SQLite uses a partial index only in this case. */
export const statusIs = (status: JobStatus): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref('status')} = ${sql.lit(status)}`;
