import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../../domain/durations.ts';

/** What identifies an upload: repeating a command makes the same. */
export interface UploadKey {
  /** The address of the service. */
  readonly url: string;
  /** The client, if its id is known. */
  readonly clientId: string | undefined;
  /** The path in the media root. */
  readonly path: string;
  /** The absolute path of the local file, and what changes when it is written. */
  readonly file: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Whether an existing file is replaced. The service decided that when the upload began. */
  readonly replace: boolean;
}

/** How far an upload is. `done`: the file is on the service, but others of its command are not yet. */
export type UploadRecord = { readonly uploadId: string } | { readonly done: true };

/** The unfinished uploads of this user, so that the same command continues them. They contain no secrets. */
export interface UploadRecords {
  get(key: UploadKey): UploadRecord | undefined;
  set(key: UploadKey, record: UploadRecord): void;
  remove(key: UploadKey): void;
}

/** The service deletes an unfinished upload a day after its last use, unless the operator has set another time. */
const KEPT_MS = 30 * DAY_MS;

/** Opens the records in `folder`, which is created at the first record, for this user alone. */
export function openUploadRecords(folder: string, now = Date.now()): UploadRecords {
  const fileOf = (key: UploadKey): string => {
    const { url, clientId = '', path, file, replace } = key;
    const text = JSON.stringify([url, clientId, path, file, replace]);
    return join(folder, `${createHash('sha256').update(text).digest('hex')}.json`);
  };
  return {
    get(key) {
      try {
        const stored = JSON.parse(readFileSync(fileOf(key), 'utf8')) as Partial<UploadKey>;
        const isSame = stored.sizeBytes === key.sizeBytes && stored.modifiedMs === key.modifiedMs;
        return isSame ? readRecord(stored) : undefined;
      } catch {
        // There is none, or it was damaged: the upload begins again.
        return undefined;
      }
    },
    set(key, record) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      removeOld(folder, now);
      const target = fileOf(key);
      writeFileSync(`${target}.new`, `${JSON.stringify({ ...record, ...key })}\n`, { mode: 0o600 });
      renameSync(`${target}.new`, target);
    },
    remove: (key) => rmSync(fileOf(key), { force: true }),
  };
}

function readRecord(value: unknown): UploadRecord | undefined {
  const { uploadId, done } = value as { readonly uploadId?: unknown; readonly done?: unknown };
  if (done === true) return { done };
  return typeof uploadId === 'string' ? { uploadId } : undefined;
}

function removeOld(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && now - found.mtimeMs > KEPT_MS) rmSync(path, { force: true });
  }
}
