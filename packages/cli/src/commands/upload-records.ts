import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/** The state of an upload. `done`: this file is on the service, but the command has not uploaded all of its files. */
export type UploadRecord = { readonly uploadId: string } | { readonly done: true };

/** The unfinished uploads of this user. With them, a repeated command continues its uploads. They contain no secrets. */
export interface UploadRecords {
  get(key: UploadKey): UploadRecord | undefined;
  /** Stores a record. Does nothing if the folder is not writable, because an upload works without a record. */
  set(key: UploadKey, record: UploadRecord): void;
  remove(key: UploadKey): void;
  /**
   * Removes the records of uploads of the same file to the same path that cannot continue, because the file or `replace` changed. Returns
   * the ids of these uploads.
   */
  removeStale(key: UploadKey): readonly string[];
}

/** The lifetime of a record. By default, the service deletes an unfinished upload earlier: a day after its last use. */
const RECORD_LIFETIME_MS = 30 * DAY_MS;

/**
 * Opens the records in `folder`. The first record creates the folder, readable only by this user. `folder` undefined: nothing is recorded.
 * Calls `onUnusable` once, at the first record that cannot be stored.
 */
export function openUploadRecords(
  folder: string | undefined,
  onUnusable: (reason: string) => void,
  now = Date.now(),
): UploadRecords {
  let isUnusable = false;
  const fileIn = (where: string, key: UploadKey): string => {
    const { url, clientId = '', path, file, replace } = key;
    const text = JSON.stringify([url, clientId, path, file, replace]);
    return join(where, `${createHash('sha256').update(text).digest('hex')}.json`);
  };
  const read = (key: UploadKey): Partial<UploadKey & { readonly uploadId: unknown; readonly done: unknown }> => {
    try {
      return folder === undefined ? {} : JSON.parse(readFileSync(fileIn(folder, key), 'utf8'));
    } catch {
      // Without a readable record, the upload starts from the beginning.
      return {};
    }
  };
  const remove = (key: UploadKey): void => {
    try {
      if (folder !== undefined) rmSync(fileIn(folder, key), { force: true });
    } catch {
      // Ignore errors. A record that remains does no harm: it expires, or its upload has ended.
    }
  };
  const isSame = (stored: Partial<UploadKey>, key: UploadKey): boolean =>
    stored.sizeBytes === key.sizeBytes && stored.modifiedMs === key.modifiedMs;
  return {
    get(key) {
      const stored = read(key);
      return isSame(stored, key) ? readRecord(stored) : undefined;
    },
    set(key, record) {
      if (isUnusable) return;
      try {
        if (folder === undefined) throw new Error('this user has no home folder');
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        removeOld(folder, now);
        const target = fileIn(folder, key);
        // Two commands may upload the same file, so each writes its own temporary file.
        const next = `${target}.${randomUUID()}.new`;
        writeFileSync(next, `${JSON.stringify({ ...record, ...key })}\n`, { mode: 0o600 });
        renameSync(next, target);
      } catch (error) {
        isUnusable = true;
        onUnusable(error instanceof Error ? error.message : String(error));
      }
    },
    remove,
    removeStale(key) {
      return [key, { ...key, replace: !key.replace }].flatMap((one) => {
        const stored = read(one);
        const record = readRecord(stored);
        if (record === undefined || (one === key && isSame(stored, key))) return [];
        remove(one);
        return 'uploadId' in record ? [record.uploadId] : [];
      });
    },
  };
}

function readRecord({
  uploadId,
  done,
}: {
  readonly uploadId?: unknown;
  readonly done?: unknown;
}): UploadRecord | undefined {
  if (done === true) return { done };
  return typeof uploadId === 'string' ? { uploadId } : undefined;
}

function removeOld(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && now - found.mtimeMs > RECORD_LIFETIME_MS) rmSync(path, { force: true });
  }
}
