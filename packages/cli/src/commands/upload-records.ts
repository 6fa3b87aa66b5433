import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@telecine/contract/domain/quantity.ts';

/** Identifies an upload. A repeated command has the same key. */
export interface UploadKey {
  readonly url: string;
  readonly clientId: string | undefined;
  readonly path: string;
  /** The absolute path of the local file. */
  readonly file: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Whether the upload replaces an existing file. This is decided at the start of the upload. */
  readonly replace: boolean;
}

/** The state of an upload. `isStored`: the whole file is on the service, but the command has not uploaded all of its files. */
export interface UploadRecord {
  readonly uploadId?: string | undefined;
  readonly isStored?: boolean;
}

/** No service keeps an upload for more than 30 days after its last use. */
const MAX_AGE_MS = 60 * DAY_MS;

export type UploadRecords = NonNullable<ReturnType<typeof openUploadRecords>>;

/**
 * Opens the records of the unfinished uploads of this user, in `folder`, which only this user can read. With them, a repeated command continues its
 * uploads. They contain no secrets. Removes records whose command was never repeated. undefined: the folder cannot be used. Then calls
 * `onUnusable` with the reason.
 */
export function openUploadRecords(folder: string, onUnusable: (reason: string) => void) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    for (const name of readdirSync(folder)) {
      const { mtimeMs = 0 } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
      if (mtimeMs < Date.now() - MAX_AGE_MS) rmSync(join(folder, name), { force: true });
    }
  } catch (error) {
    onUnusable(error instanceof Error ? error.message : String(error));
    return undefined;
  }
  // With another content or another option `-y`, an upload does not continue.
  const fileOf = (key: UploadKey): string =>
    join(folder, `${createHash('sha256').update(JSON.stringify(key)).digest('hex')}.json`);
  return {
    get(key: UploadKey): UploadRecord | undefined {
      try {
        return JSON.parse(readFileSync(fileOf(key), 'utf8'));
      } catch {
        // Without a readable record, the upload starts from the beginning.
        return undefined;
      }
    },
    set: (key: UploadKey, record: UploadRecord): void =>
      ignoreErrors(() => writeFileSync(fileOf(key), JSON.stringify(record), { mode: 0o600 })),
    remove: (key: UploadKey): void => ignoreErrors(() => rmSync(fileOf(key), { force: true })),
  };
}

/** A full disk, for example, does not fail an upload. Without its record, it begins again after an interruption. */
function ignoreErrors(act: () => void): void {
  try {
    act();
  } catch {}
}
