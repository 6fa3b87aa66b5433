import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Creates the folder `dir` and its parents. The recursive `mkdir` of Node cannot be used: it never returns if the
 * kernel reports ENOENT for a new folder, as in /proc.
 */
export function createFolder(dir: string, mode?: number): void {
  if (!existsSync(dir) && !existsSync(dirname(dir))) createFolder(dirname(dir), mode);
  mkdirSync(dir, { mode, recursive: existsSync(dir) });
}

/** Thrown if another process has locked the folder. The message is for the operator. */
export class FolderLocked extends Error {
  override readonly name = 'FolderLocked';
}

/**
 * Locks the data folder, so that no other process serves from it. Creates the folder if it is missing. Returns a
 * function that unlocks it.
 */
export function lockDataFolder(dir: string): () => void {
  createFolder(dir, 0o700);
  return lockFolder(
    dir,
    `Another telecine is serving from the data folder ${dir}. Stop it first, or set TELECINE_DATA_DIR to another folder.`,
  );
}

/**
 * Locks `dir` until the returned function is called or the process ends. Waits up to `waitMs`, which blocks the event
 * loop, and then throws `FolderLocked` with `message`. Uses the lock of an SQLite database, which works on every
 * system. This database is a separate file, so that other commands can still open the databases of the service.
 */
export function lockFolder(dir: string, message: string, waitMs = 0): () => void {
  const lock = new DatabaseSync(join(dir, 'serve.lock'), { timeout: waitMs });
  try {
    lock.exec('begin exclusive');
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    throw new FolderLocked(message, { cause });
  }
  locks.add(lock);
  return () => {
    locks.delete(lock);
    lock.close();
  };
}

/**
 * Keeps references to all locks. Without a reference, the garbage collector would close the database and release its
 * lock.
 */
const locks = new Set<DatabaseSync>();

/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;
