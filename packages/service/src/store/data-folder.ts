import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Creates the folder `dir` and its parents. Does not use the recursive `mkdir` of Node, which never returns if the
 * kernel reports ENOENT, as in /proc.
 */
export function createFolder(dir: string, mode?: number): void {
  if (!existsSync(dir) && !existsSync(dirname(dir))) createFolder(dirname(dir), mode);
  mkdirSync(dir, { mode, recursive: existsSync(dir) });
}

/** Thrown if another process has locked the folder. The message is for the operator. */
export class FolderLocked extends Error {
  override readonly name = 'FolderLocked';
}

/** Locks the data folder `dir`, so that this process is the only one that serves from it. Creates the folder if it is missing. */
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
 * system. The lock has its own file, so that other commands can open the databases.
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

/** Keeps references to all locks. Without a reference, the garbage collector would close the database and release its lock. */
const locks = new Set<DatabaseSync>();

/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;
