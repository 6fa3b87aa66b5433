import type { DatabaseSync } from 'node:sqlite';

/**
 * Returns a function that takes a snapshot for all reads of a connection in WAL mode. That function returns another one, which
 * releases the snapshot. While one read of a connection has not ended, all share its snapshot:
 * https://www.sqlite.org/isolation.html
 */
export function readHolder(reading: DatabaseSync): () => () => void {
  const read = reading.prepare('select rowid from sqlite_schema');
  return () => {
    const rows = read.iterate();
    // One row only: the read must not end.
    rows.next();
    return () => void rows.return?.();
  };
}
