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
 * Opens the write-ahead log of the database `file`, which a connection must have open: until the last connection closes,
 * the log stays the same file. SQLite's locks are on the database and the `-shm` file, so closing this descriptor
 * releases none. Flushes the folder too, so that the log survives a power failure.
 */
export function openWal(file: string): WalFile {
  const descriptor = openSync(`${file}-wal`, 'r+');
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
  return { sync: () => fdatasyncAsync(descriptor), close: () => closeSync(descriptor) };
}
