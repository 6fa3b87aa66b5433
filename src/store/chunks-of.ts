/**
 * The most rows per statement. PostgreSQL allows 65,535 parameters in one, SQLite 32,766. Some chunks are transactions of their
 * own, which block the event loop for some milliseconds.
 */
const MAX_ROWS = 500;

/** Splits rows into chunks, each small enough for one statement. */
export const chunksOf = <T>(rows: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(rows.length / MAX_ROWS) }, (_, i) => rows.slice(i * MAX_ROWS, (i + 1) * MAX_ROWS));
