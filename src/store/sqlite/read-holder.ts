import type { DatabaseSync } from 'node:sqlite';

/**
 * Returns a function that takes a snapshot for all reads of the connection `reading`, which must be in WAL mode. That function
 * returns another one, which releases the snapshot. Reads of a connection share a snapshot while one of them has not ended. https://www.sqlite.org/isolation.html
 */
export function readHolder(reading: DatabaseSync): () => () => void {
  const read = reading.prepare('select rowid from sqlite_schema');
  return () => {
    const rows = read.iterate();
    // The second row is not read.
    rows.next();
    return () => void rows.return?.();
  };
}
