import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

export type UploadRecords = ReturnType<typeof openUploadRecords>;

/**
 * Opens the records of the unfinished uploads of this user, in `folder`. With them, a repeated command continues its uploads. They contain no
 * secrets. The first record creates the folder, readable only by this user. Calls `onUnusable` once, at the first record that cannot be
 * stored, because an upload works without a record.
 */
export function openUploadRecords(folder: string, onUnusable: (reason: string) => void) {
  let isUnusable = false;
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
    set(key: UploadKey, record: UploadRecord): void {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(fileOf(key), JSON.stringify(record), { mode: 0o600 });
        removeOld(folder);
      } catch (error) {
        if (!isUnusable) onUnusable(error instanceof Error ? error.message : String(error));
        isUnusable = true;
      }
    },
    remove(key: UploadKey): void {
      try {
        rmSync(fileOf(key), { force: true });
      } catch {
        // Ignore errors. A record that remains does no harm: its upload has ended.
      }
    },
  };
}

/** No service keeps an upload for more than 30 days after its last use. */
const MAX_AGE_MS = 60 * DAY_MS;

/** Removes records whose command was never repeated. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const { mtimeMs = 0 } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - MAX_AGE_MS) rmSync(join(folder, name), { force: true });
  }
}
