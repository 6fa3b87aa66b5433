import { randomUUID } from 'node:crypto';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { DAY_MS, HOUR_MS } from '@telecine/contract/domain/quantity.ts';
import type { StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import type { FileChecks, FileStore, FileToCheck, Leases } from './ports.ts';
import { lookAtFiles } from './recount-files.ts';

export interface CheckFilesDeps {
  readonly stored: Pick<StoredFiles, 'correct'> & FileChecks;
  readonly store: Pick<FileStore, 'open'>;
  /** Returns the media root of a client. Resolves to undefined for a revoked client, whose files do not count. */
  readonly rootOf: (clientId: string) => Promise<MediaRoot | undefined>;
  /** Ensures that only one process at a time checks files. */
  readonly leases: Pick<Leases, 'take' | 'release'>;
  readonly now: () => Date;
  /** After how long a file that was seen is looked at again, if looks are cheap. Absent: after six hours. */
  readonly recheckMs?: number;
  /** An abort ends the round after the current files. */
  readonly stopping?: AbortSignal;
  /** Called if files of a client could not be checked. `path`: one of them. */
  readonly onFailure: (failure: { readonly clientId: string; readonly path?: string; readonly err: unknown }) => void;
}

/** The number of files that are listed and corrected together. */
const PAGE = 200;

/** The maximum duration of a round. The next round begins with the files that were not checked for longest. */
const ROUND_MS = 60_000;

/** A file is counted before it is published. If it is still pending after this time, its publisher was killed. */
const MIN_AGE_MS = HOUR_MS;

/**
 * How often the files of a client are added up. With SQLite, a million files block the event loop for half a second.
 */
const SUM_AGE_MS = DAY_MS;

/** The maximum number of clients whose files are added up in one round. */
const MAX_SUMS = 1000;

/**
 * The duration of the lease, which is renewed before each page and each sum. If the process that holds it is killed,
 * other processes wait this long.
 */
const LEASE_SECONDS = 60;

/**
 * Adds up the files of clients, corrects the sizes of counted files, and no longer counts missing files. A file whose
 * size cannot be read still counts. Call this every hour.
 */
export async function checkFiles(deps: CheckFilesDeps): Promise<void> {
  const { stored, leases, now, recheckMs, stopping } = deps;
  const lease = { name: 'file check', holder: randomUUID() };
  const startMs = now().getTime();
  const ago = (ms: number): string => new Date(startMs - ms).toISOString();
  const mayContinue = async (): Promise<boolean> =>
    stopping?.aborted !== true && now().getTime() - startMs < ROUND_MS && (await leases.take(lease, LEASE_SECONDS));
  try {
    if (!(await mayContinue())) return;
    // Add up first: checking files can take the rest of the round.
    for (const clientId of await stored.clientsToAddUp(ago(SUM_AGE_MS), MAX_SUMS)) {
      if (!(await mayContinue())) return;
      await stored.addUp(clientId);
    }
    for (let ended = PAGE; ended === PAGE && (await mayContinue()); )
      ended = await stored.expirePending(ago(MIN_AGE_MS), PAGE);
    /**
     * Clients of which no file on a page could be read. Their other files are skipped in this round, because they would
     * only delay the files of other clients.
     */
    const failing = new Set<string>();
    const seenBefore = recheckMs === undefined ? undefined : ago(recheckMs);
    for (let isLast = false; !isLast && (await mayContinue()); ) {
      const files = await stored.checkedBefore(ago(MIN_AGE_MS), PAGE, [...failing], seenBefore);
      for (const clientId of await checkPage(deps, files)) failing.add(clientId);
      isLast = files.length < PAGE;
    }
  } finally {
    await leases.release(lease).catch(() => {});
  }
}

/** Checks one page of files. Returns the clients of which no file could be read. */
async function checkPage(deps: CheckFilesDeps, files: readonly FileToCheck[]): Promise<readonly string[]> {
  const failing: string[] = [];
  for (const [clientId, own] of Map.groupBy(files, (file) => file.clientId)) {
    const sizes = await findSizes(deps, clientId, own);
    if (sizes.size === 0) failing.push(clientId);
    // If the size of a file is unknown, store the old size again. The file then moves to the end of the list.
    const states = own.map((file) => (sizes.has(file.path) ? { ...file, bytes: sizes.get(file.path) } : file));
    await deps.stored.correct(clientId, states);
  }
  return failing;
}

async function findSizes(
  { store, rootOf, onFailure }: CheckFilesDeps,
  clientId: string,
  files: readonly FileToCheck[],
): Promise<ReadonlyMap<string, number | undefined>> {
  try {
    const paths = files.map(({ path }) => path);
    const root = await rootOf(clientId);
    if (root === undefined) return new Map(paths.map((path) => [path, undefined]));
    const { sizes, failure } = await lookAtFiles(store, root, paths);
    if (failure !== undefined) onFailure({ clientId, path: failure.path, err: failure.error });
    return sizes;
  } catch (err) {
    onFailure({ clientId, err });
    return new Map();
  }
}
