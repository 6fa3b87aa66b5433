import { randomUUID } from 'node:crypto';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { DAY_MS, HOUR_MS } from '@telecine/contract/domain/quantity.ts';
import type { StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import type { FileChecks, FileStore, FileToCheck, Leases } from './ports.ts';
import { lookAtFiles } from './recount-files.ts';

export interface CheckFilesDeps {
  readonly stored: Pick<StoredFiles, 'correct'> & FileChecks;
  readonly store: Pick<FileStore, 'open'>;
  /** Resolves to undefined for a revoked client, whose files do not count. */
  readonly rootOf: (clientId: string) => Promise<MediaRoot | undefined>;
  /** Lets one process at a time check files. */
  readonly leases: Pick<Leases, 'take' | 'release'>;
  readonly now: () => Date;
  /** Ends the round after the current files. */
  readonly stopping?: AbortSignal;
  /** Reports why files of a client were not checked. `path`: one of them. */
  readonly onFailure: (failure: { readonly clientId: string; readonly path?: string; readonly err: unknown }) => void;
}

/** The files that are listed, and corrected, at once. */
const PAGE = 200;

/** The length of a round. The next round begins with the files that were checked longest ago. */
const ROUND_MS = 60_000;

/** A file is counted before it appears. After this time, its publisher was killed. */
const MIN_AGE_MS = HOUR_MS;

/** The time between two sums of a client's files. A million files take half a second of the event loop with SQLite. */
const SUM_AGE_MS = DAY_MS;

/** The most sums in a round. */
const MAX_SUMS = 1000;

/** How long a killed process prevents others from checking files. Renewed before each page and each sum. */
const LEASE_SECONDS = 60;

/**
 * Adds up the files of clients, corrects the sizes of counted files, and forgets missing files. A file whose size is unknown still
 * counts. Call it every hour.
 */
export async function checkFiles(deps: CheckFilesDeps): Promise<void> {
  const { stored, leases, now, stopping } = deps;
  const lease = { name: 'file check', holder: randomUUID() };
  const startMs = now().getTime();
  const ago = (ms: number): string => new Date(startMs - ms).toISOString();
  const mayContinue = async (): Promise<boolean> =>
    stopping?.aborted !== true && now().getTime() - startMs < ROUND_MS && (await leases.take(lease, LEASE_SECONDS));
  try {
    if (!(await mayContinue())) return;
    // First, because checking files can take the whole round.
    for (const clientId of await stored.clientsToAddUp(ago(SUM_AGE_MS), MAX_SUMS)) {
      if (!(await mayContinue())) return;
      await stored.addUp(clientId);
    }
    for (let ended = PAGE; ended === PAGE && (await mayContinue()); )
      ended = await stored.expirePending(ago(MIN_AGE_MS), PAGE);
    /** Clients without a readable file on a whole page. Further pages would only delay other clients. */
    const failing = new Set<string>();
    for (let isLast = false; !isLast && (await mayContinue()); ) {
      const files = await stored.checkedBefore(ago(MIN_AGE_MS), PAGE, [...failing]);
      for (const clientId of await checkPage(deps, files)) failing.add(clientId);
      isLast = files.length < PAGE;
    }
  } finally {
    await leases.release(lease).catch(() => {});
  }
}

/** Returns the clients without a readable file. */
async function checkPage(deps: CheckFilesDeps, files: readonly FileToCheck[]): Promise<readonly string[]> {
  const failing: string[] = [];
  for (const [clientId, own] of Map.groupBy(files, (file) => file.clientId)) {
    const sizes = await findSizes(deps, clientId, own);
    if (sizes.size === 0) failing.push(clientId);
    // A file with an unknown size keeps its size, and is listed after the others.
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
