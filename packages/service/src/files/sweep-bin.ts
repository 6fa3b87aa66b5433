import { randomUUID } from 'node:crypto';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import type { BinEntry, BinStore, FileStore, Leases } from './ports.ts';

export interface SweepBinDeps {
  readonly bin: BinStore;
  readonly store: Pick<FileStore, 'purgeFromBin'>;
  readonly stored: Pick<StoredFiles, 'used'>;
  /** Returns the media root of a client, and its quota `storage`. */
  readonly clientOf: (clientId: string) => Promise<{ readonly root: MediaRoot; readonly storage: number | undefined }>;
  /** Returns whether the disk of the media is nearly full. */
  readonly isFull: () => Promise<boolean>;
  /** Ensures that only one process at a time deletes entries. */
  readonly leases: Pick<Leases, 'take' | 'release'>;
  /** An abort ends the round after the current entry. */
  readonly stopping?: AbortSignal;
  /** Called if the files of an entry could not be deleted. */
  readonly onFailure: (failure: { readonly clientId: string; readonly entryId: string; readonly err: unknown }) => void;
}

/** The lease lasts this long, and is renewed before each entry. */
const LEASE_SECONDS = 60;

const BATCH = 50;

/** The maximum number of entries in one round. */
const MAX_ENTRIES = 1000;

/** The delay before the next attempt to delete an entry whose files could not be deleted. */
const RETRY_SECONDS = 3600;

/**
 * Deletes entries of the bins: those that have expired, the oldest of clients whose files and bin together exceed the
 * quota `storage`, and the oldest of all clients while the disk is nearly full. Call this every minute.
 */
export async function sweepBin(deps: SweepBinDeps): Promise<void> {
  const { bin, leases, stopping } = deps;
  const lease = { name: 'bin', holder: randomUUID() };
  let left = MAX_ENTRIES;
  const mayContinue = async (): Promise<boolean> =>
    left-- > 0 && stopping?.aborted !== true && (await leases.take(lease, LEASE_SECONDS));
  /** Deletes entries while `isNeeded`. Resolves to false if the round ends or an entry could not be deleted. */
  const purgeAll = async (next: () => Promise<readonly BinEntry[]>, isNeeded: () => boolean | Promise<boolean>) => {
    for (let entries = await next(); entries.length > 0; entries = await next())
      for (const entry of entries) {
        if (!(await isNeeded())) return true;
        if (!(await mayContinue()) || !(await purge(deps, entry))) return false;
      }
    return true;
  };
  if (!(await mayContinue())) return;
  try {
    await purgeExpired(deps, mayContinue);
    for (const clientId of await bin.clients()) {
      if (!(await mayContinue())) return;
      const { storage } = await deps.clientOf(clientId);
      if (storage === undefined) continue;
      const isOver = async (): Promise<boolean> =>
        (await deps.stored.used(clientId)) + (await bin.used(clientId)) > storage;
      await purgeAll(() => bin.oldest(clientId, BATCH), isOver);
    }
    await purgeAll(() => bin.oldest(undefined, BATCH), deps.isFull);
  } finally {
    await leases.release(lease).catch(() => {});
  }
}

async function purgeExpired(deps: SweepBinDeps, mayContinue: () => Promise<boolean>): Promise<void> {
  for (let entries = await deps.bin.expired(BATCH); entries.length > 0; entries = await deps.bin.expired(BATCH))
    for (const entry of entries) {
      if (!(await mayContinue())) return;
      // Otherwise, the same entries would be the first of each round.
      if (!(await purge(deps, entry))) await deps.bin.postpone(entry.entryId, RETRY_SECONDS);
    }
}

async function purge(
  { bin, store, clientOf, onFailure }: SweepBinDeps,
  { clientId, entryId }: BinEntry,
): Promise<boolean> {
  try {
    await store.purgeFromBin((await clientOf(clientId)).root, entryId);
  } catch (err) {
    onFailure({ clientId, entryId, err });
    return false;
  }
  await bin.remove(entryId);
  return true;
}
