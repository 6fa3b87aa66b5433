import { DAY_MS, HOUR_MS } from '../domain/durations.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import type { StoredFiles } from '../domain/stored-files.ts';
import { lookAtFiles } from './look-at-files.ts';
import type { FileChecks } from './ports/file-checks.ts';
import type { FileStore } from './ports.ts';

export interface CheckFilesDeps {
  readonly stored: Pick<StoredFiles, 'correct'> & FileChecks;
  readonly store: Pick<FileStore, 'open'>;
  readonly rootOf: (clientId: string) => Promise<MediaRoot>;
  readonly now: () => Date;
}

/** The most files of one round. */
const MAX_FILES = 1000;

/** A file is counted before it appears, so it is not looked for at once. */
const MIN_AGE_MS = HOUR_MS;

/** How often the files of a client are added up. */
const SUM_AGE_MS = DAY_MS;

/** Corrects the sizes of counted files, and forgets those that do not exist. Call it every hour. */
export async function checkFiles({ stored, store, rootOf, now }: CheckFilesDeps): Promise<void> {
  const before = new Date(now().getTime() - MIN_AGE_MS).toISOString();
  const files = await stored.checkedBefore(before, MAX_FILES);
  for (const [clientId, own] of Map.groupBy(files, (file) => file.clientId)) {
    const { sizes, failure } = await lookAtFiles(
      store,
      await rootOf(clientId),
      own.map(({ path }) => path),
    );
    await stored.correct(
      clientId,
      own.filter(({ path }) => sizes.has(path)).map((file) => ({ ...file, bytes: sizes.get(file.path) })),
    );
    if (failure !== undefined) throw failure.error;
  }
  await stored.addUpBefore(new Date(now().getTime() - SUM_AGE_MS).toISOString());
}
