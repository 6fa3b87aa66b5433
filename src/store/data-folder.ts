import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process holds the folder; the message says what to do. */
export class FolderLocked extends Error {
  override readonly name = 'FolderTaken';
}

/** Makes this process the only one that serves from the data folder `dir`, which is made where it is missing. */
export function lockDataFolder(dir: string): () => void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return lockFolder(
    dir,
    `Another telecine is serving from the data folder ${dir}. Stop it first, or set TELECINE_DATA_DIR to another folder.`,
  );
}

/**
 * Makes this process the only one that holds `dir`, until the returned function is called or the process ends, however
 * it ends. Throws `FolderTaken` with `message` where another still holds it after `waitMs`, which are waited without a
 * turn of the event loop. A file lock does this through SQLite, which knows how on every system; the lock is no part of
 * a database, which other commands may open meanwhile.
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
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}

/** A lock that nobody refers to any more would be collected as garbage, and let go with it. */
const held = new Set<DatabaseSync>();

/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;
