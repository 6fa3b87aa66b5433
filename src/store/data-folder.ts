import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process serves from the folder; the message says what to do. */
export class DataFolderTaken extends Error {
  override readonly name = 'DataFolderTaken';
}

/**
 * Makes this process the only one that serves from the data folder `dir`, until the returned function is called or
 * the process ends, however it ends. Throws `DataFolderTaken`. A file lock does this through SQLite,
 * which knows how on every system; the lock is no part of the database, which other commands may open meanwhile.
 */
export function holdDataFolder(dir: string): () => void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(dir, 'serve.lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    throw new DataFolderTaken(
      `Another telecine is serving from the data folder ${dir}. Stop it first, or set TELECINE_DATA_DIR to another folder.`,
      { cause },
    );
  }
  return () => lock.close();
}

/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;
