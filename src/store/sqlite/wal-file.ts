import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** SQLite's write-ahead log of a database. */
export interface WalFile {
  /** Flushes all commits to disk, in a thread of Node's pool. */
  readonly sync: () => Promise<void>;
  close(): void;
}

const fdatasyncAsync = promisify(fdatasync);

/**
 * Opens the write-ahead log of the database `file`. A connection must have the database open, because SQLite deletes
 * the log when the last connection closes. SQLite's locks are on the database and the `-shm` file, so closing the
 * descriptor of the log releases none of them. Flushes the folder too, so that the log survives a power failure.
 */
export function openWal(file: string): WalFile {
  const descriptor = openSync(`${file}-wal`, 'r+');
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
  return {
    sync: () => fdatasyncAsync(descriptor),
    close: () => closeSync(descriptor),
  };
}
