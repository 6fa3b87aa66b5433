import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../domain/durations.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import type { StoredFiles } from '../domain/stored-files.ts';
import { lookAtFiles } from './look-at-files.ts';
import type { FileChecks, FileToCheck } from './ports/file-checks.ts';
import type { FileStore, Leases } from './ports.ts';

export interface CheckFilesDeps {
  readonly stored: Pick<StoredFiles, 'correct'> & FileChecks;
  readonly store: Pick<FileStore, 'open'>;
  readonly rootOf: (clientId: string) => Promise<MediaRoot>;
  /** Lets one process at a time check files. */
  readonly leases: Pick<Leases, 'take' | 'release'>;
  readonly now: () => Date;
  /** Ends the round after the files that it looks at. */
  readonly stopping?: AbortSignal;
  /** Receives why files of a client were not checked. `path`: one of them. */
  readonly onFailure: (failure: { readonly clientId: string; readonly path?: string; readonly err: unknown }) => void;
}

/** The files that are listed, and corrected, at once. */
const PAGE = 200;

/** How long a round lasts. The next one continues with the files that were checked longest ago. */
const ROUND_MS = 60_000;

/** A file is counted before it appears, so it is not looked for at once. */
const MIN_AGE_MS = HOUR_MS;

/** How often the files of a client are added up. A million take half a second, which SQLite spends on the event loop. */
const SUM_AGE_MS = DAY_MS;

/** How long a process that was killed keeps others from checking files. Renewed before each page. */
const LEASE_SECONDS = 60;

/**
 * Corrects the sizes of counted files, and forgets those that do not exist. A file that cannot be looked at still counts, and
 * is looked at again an hour later. Call it every hour.
 */
export async function checkFiles(deps: CheckFilesDeps): Promise<void> {
  const { stored, leases, now, stopping } = deps;
  const lease = { name: 'file check', holder: randomUUID() };
  const startMs = now().getTime();
  const isOver = (): boolean => stopping?.aborted === true || now().getTime() - startMs >= ROUND_MS;
  try {
    for (let isLast = false; !isLast && !isOver() && (await leases.take(lease, LEASE_SECONDS)); ) {
      const files = await stored.checkedBefore(new Date(startMs - MIN_AGE_MS).toISOString(), PAGE);
      const hasFound = await checkPage(deps, files);
      // If nothing could be looked at, the storage is probably down.
      isLast = files.length < PAGE || !hasFound;
    }
    if (!isOver() && (await leases.take(lease, LEASE_SECONDS)))
      await stored.addUpBefore(new Date(startMs - SUM_AGE_MS).toISOString());
  } finally {
    await leases.release(lease).catch(() => {});
  }
}

/** Resolves to false if no file could be looked at. */
async function checkPage(deps: CheckFilesDeps, files: readonly FileToCheck[]): Promise<boolean> {
  let found = 0;
  for (const [clientId, own] of Map.groupBy(files, (file) => file.clientId)) {
    const sizes = await findSizes(deps, clientId, own);
    found += sizes.size;
    // One that could not be looked at keeps its size, and is listed after the others.
    const states = own.map((file) => (sizes.has(file.path) ? { ...file, bytes: sizes.get(file.path) } : file));
    await deps.stored.correct(clientId, states);
  }
  return found > 0;
}

async function findSizes(
  { store, rootOf, onFailure }: CheckFilesDeps,
  clientId: string,
  files: readonly FileToCheck[],
): Promise<ReadonlyMap<string, number | undefined>> {
  try {
    const paths = files.map(({ path }) => path);
    const { sizes, failure } = await lookAtFiles(store, await rootOf(clientId), paths);
    if (failure !== undefined) onFailure({ clientId, path: failure.path, err: failure.error });
    return sizes;
  } catch (err) {
    onFailure({ clientId, err });
    return new Map();
  }
}
