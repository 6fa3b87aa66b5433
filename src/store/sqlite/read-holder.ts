import type { DatabaseSync } from 'node:sqlite';

/**
 * Returns a function that keeps all reads on `reading`, which is in WAL mode, at the commits so far, and itself returns a function
 * that ends this. Reads of a connection share a snapshot while one of them is not at its end. https://www.sqlite.org/isolation.html
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
