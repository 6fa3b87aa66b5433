import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { BEFORE_RELEASE, FIRST_MIGRATION, MIGRATION_TABLE } from '../migrate.ts';

/** Thrown if a backup or a restore is not possible. The message is for the operator. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

export interface DatabaseContents {
  readonly jobs: number;
  readonly clients: number;
}

/**
 * Copies the SQLite database `file` to the new file `target` (mode 0600). Services may use the database meanwhile. The
 * copy gets its name only after it is checked and on disk.
 *
 * @throws `BackupRefused` if `file` is missing, `target` exists, or the copy is damaged.
 */
export async function backupSqlite(file: string, target: string): Promise<DatabaseContents> {
  const source = orRefuse(
    `The database ${file} cannot be opened`,
    () => new DatabaseSync(file, { readOnly: true, timeout: 5000 }),
  );
  try {
    // Open a read transaction, so that the copy shows the state of this moment. Without this transaction, each write of
    // a service would restart the copy.
    source.exec('begin');
    const contents = contentsOf(source, file);
    await writeChecked(target, contents, (temporary) => backup(source, temporary, { rate: PAGES_AT_ONCE }));
    return contents;
  } finally {
    source.close();
  }
}

/** The number of pages that are copied in one step. It is so large that most databases are copied in one step. */
const PAGES_AT_ONCE = 100_000;

/**
 * Copies the backup `file` to the new database `target`. Change numbers continue far above the numbers that clients
 * know, so that their event streams begin with `reset`.
 *
 * @throws `BackupRefused` if `file` is damaged or not a database of this program, or if `target` exists.
 */
export async function restoreSqlite(file: string, target: string): Promise<DatabaseContents> {
  const contents = await backupSqlite(file, target);
  const database = new DatabaseSync(target);
  try {
    database.exec(
      `update installation
       set change_base = change_base + ${NUMBERS_SKIPPED}, forgotten_changes = change_base + ${NUMBERS_SKIPPED}`,
    );
  } finally {
    database.close();
  }
  return contents;
}

/** How many change numbers a restore skips: more than an installation uses between a backup and its restore. */
const NUMBERS_SKIPPED = 1_000_000_000;

/** Writes a new file under a temporary name, checks it, and gives it its name. */
async function writeChecked(
  target: string,
  expected: DatabaseContents,
  fill: (temporary: string) => Promise<unknown>,
): Promise<void> {
  const temporary = `${target}.${randomUUID()}`;
  // Create the file with mode 0600 before SQLite writes to it, because it will contain the signing keys.
  closeSync(orRefuse(`${target} cannot be written`, () => openSync(temporary, 'wx', 0o600)));
  try {
    await fill(temporary);
    checkCopy(temporary, expected);
    flush(temporary);
    // Link the file instead of renaming it: a link never replaces an existing file.
    linkSync(temporary, target);
    flush(dirname(target));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new BackupRefused(`${target} exists, and is not replaced. Name another file, or move it away.`);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${temporary}${suffix}`, { force: true });
  }
}

/**
 * Throws `BackupRefused` if the copy is damaged or its contents are not those of the source. Turns the copy into a
 * single file, without a write-ahead log.
 */
function checkCopy(file: string, expected: DatabaseContents): void {
  const copy = new DatabaseSync(file);
  try {
    copy.exec('pragma journal_mode=delete');
    const [{ integrity_check: result } = {}] = copy.prepare('pragma integrity_check').all();
    const { jobs, clients } = contentsOf(copy, file);
    if (result !== 'ok' || jobs !== expected.jobs || clients !== expected.clients)
      throw new BackupRefused(
        `The copy is damaged: ${String(result)}, ${jobs} of ${expected.jobs} jobs, ${clients} of ${expected.clients} clients. It was removed.`,
      );
  } finally {
    copy.close();
  }
}

function contentsOf(database: DatabaseSync, file: string): DatabaseContents {
  const [counts = {}] = orRefuse(`${file} is not a database of telecine, or is damaged`, () =>
    database
      .prepare(
        `select (select count(*) from jobs) as jobs, (select count(*) from clients) as clients,
           (select count(*) from ${MIGRATION_TABLE} where name = ?) as isReleased`,
      )
      .all(FIRST_MIGRATION),
  );
  if (counts['isReleased'] === 0) throw new BackupRefused(`${file} cannot be used. ${BEFORE_RELEASE}`);
  return { jobs: Number(counts['jobs']), clients: Number(counts['clients']) };
}

export function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the result of `run`. If it throws, throws `BackupRefused` with a message that begins with `what`. */
function orRefuse<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw new BackupRefused(`${what}: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}
