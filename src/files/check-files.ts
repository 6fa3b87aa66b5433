import { HOUR_MS } from '../domain/durations.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import { Problem } from '../domain/problem.ts';
import { parseFilePath } from './file-path.ts';
import type { FileChecks } from './ports/file-checks.ts';
import type { FileStore } from './ports.ts';

export interface CheckFilesDeps {
  readonly checks: FileChecks;
  readonly store: Pick<FileStore, 'open'>;
  readonly rootOf: (clientId: string) => Promise<MediaRoot>;
  readonly now: () => Date;
}

/** The most files of one round. */
const MAX_FILES = 1000;

/** A file is counted before it appears, so it is not looked for at once. */
const MIN_AGE_MS = HOUR_MS;

/** Corrects the sizes of counted files, and forgets those that do not exist. Call it every hour. */
export async function checkFiles({ checks, store, rootOf, now }: CheckFilesDeps): Promise<void> {
  const before = new Date(now().getTime() - MIN_AGE_MS).toISOString();
  for (const file of await checks.checkedBefore(before, MAX_FILES)) {
    const bytes = await sizeOf(store, await rootOf(file.clientId), file.path);
    await checks.settle(file, bytes === undefined ? undefined : { bytes, at: now().toISOString() });
  }
}

/** The size of a file; undefined if there is none. Throws STORAGE_FAULT, which says nothing about the file. */
async function sizeOf(store: Pick<FileStore, 'open'>, root: MediaRoot, path: string): Promise<number | undefined> {
  try {
    const file = await store.open(root, parseFilePath(path, root));
    await file.close();
    return file.sizeBytes;
  } catch (error) {
    if (error instanceof Problem && (error.code === 'FILE_NOT_FOUND' || error.code === 'NOT_A_FILE')) return undefined;
    throw error;
  }
}
