import { isFinished, JOB_STATUSES, type JobStatus } from '@telecine/contract/domain/states.ts';
import {
  type Compilable,
  type Expression,
  expressionBuilder,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { Schema } from './schema.ts';
import type { Database, Db } from './transaction/database.ts';

/**
 * The maximum number of rows per statement, because databases limit the number of parameters. Some callers write each
 * chunk in a transaction of its own, and a larger chunk would block the event loop for longer.
 */
const MAX_ROWS = 500;

/** The maximum number of characters per statement, for the same reason: 500 paths can have 1.5 MB. */
const MAX_CHARACTERS = 250_000;

/** Splits rows into chunks that are small enough for one statement. */
export function chunksOf<T extends string | object>(rows: readonly T[]): readonly (readonly T[])[] {
  const chunks: T[][] = [];
  let characters = 0;
  for (const row of rows) {
    const texts = typeof row === 'string' ? [row] : Object.values(row).filter((value) => typeof value === 'string');
    const size = texts.reduce((sum, text) => sum + text.length, 0);
    const last = chunks.at(-1);
    const fits = last !== undefined && last.length < MAX_ROWS && characters + size <= MAX_CHARACTERS;
    characters = fits ? characters + size : size;
    if (fits) last.push(row);
    else chunks.push([row]);
  }
  return chunks;
}

/** The number of rows, as `count`. Without the cast, PostgreSQL would return a bigint, which arrives as text. */
export const countOfRows = sql<number>`cast(count(*) as integer)`.as('count');

export const countOf = async <O>(db: Db, rows: SelectQueryBuilder<Schema, never, O>): Promise<number> =>
  (await db.selectFrom(rows.as('counted')).select(countOfRows).executeTakeFirstOrThrow()).count;

/** Values for some columns of a table. null matches rows in which the column is null. */
type Values<T extends keyof Schema> = { readonly [C in keyof Selectable<Schema[T]>]?: Selectable<Schema[T]>[C] };

/**
 * Returns the condition that a row has these values. Throws if there are none or if one is undefined, because the
 * statement would then affect all rows.
 */
export function hasValues<T extends keyof Schema>(values: Values<T>): Expression<SqlBool> {
  const all = Object.values(values);
  if (all.length === 0 || all.includes(undefined))
    throw new Error('A condition has no value, or an undefined one: the statement would affect all rows of the table.');
  return expressionBuilder<Schema, 'jobs'>().and(values as Values<'jobs'>);
}

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

export const countRows = async <T extends keyof Schema>(db: Db, table: T, values: Values<T>): Promise<number> => {
  const rows = db.selectFrom(table as 'jobs').select(countOfRows);
  return (await rows.where(hasValues(values)).executeTakeFirstOrThrow()).count;
};

/** Runs a write that has no RETURNING. Resolves to the number of rows that it changed. */
export const rowsChanged = async (db: Db, write: Compilable): Promise<number> =>
  Number((await db.executeQuery(write)).numAffectedRows ?? 0n);

/** For `do update set`: the named columns get the values of the row that an insert could not add. */
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
 * Repeats `removeSome`, each time in a transaction of its own, until it removes fewer than `batch` rows. So other
 * transactions wait only for one batch. Resolves to the number of all removed rows.
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

/** Writes the status into the SQL text, not as a parameter: only then does SQLite use an index with only one status. */
export const statusIs = (status: JobStatus): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref('status')} = ${sql.lit(status)}`;
