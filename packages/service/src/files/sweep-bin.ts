import { randomUUID } from 'node:crypto';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { DAY_MS } from '@telecine/contract/domain/quantity.ts';
import type { StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import type { BinItem, BinStore, FileStore, Leases } from './ports.ts';
import { purgeEntry } from './purge-entry.ts';

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
  /** Called for the first failure of each client in a round. `entryId`: the entry whose files could not be deleted. */
  readonly onFailure: (failure: {
    readonly clientId: string;
    readonly entryId?: string;
    readonly err: unknown;
  }) => void;
}

/** The lease lasts this long, and is renewed before each entry. */
const LEASE_SECONDS = 60;

const BATCH = 50;

/** The maximum number of entries in one round. */
const MAX_ENTRIES = 1000;

/** The delay before the next attempt to delete an entry whose files could not be deleted. */
const RETRY_SECONDS = 3600;

/** How long after it was given up an entry is dropped if its bin is still missing: its disk or its folder is gone for good. */
const AWAY_MS = 30 * DAY_MS;

/**
 * Deletes entries of the bins: those that have expired or are given up, the oldest of clients whose files and bin together
 * exceed the quota `storage`, and the oldest of all clients while the disk is nearly full. A failure of one client does not
 * stop the others. Call this every minute.
 */
export async function sweepBin(deps: SweepBinDeps): Promise<void> {
  const { bin, leases, stopping } = deps;
  const lease = { name: 'bin', holder: randomUUID() };
  let left = MAX_ENTRIES;
  const mayContinue = async (): Promise<boolean> =>
    left-- > 0 && stopping?.aborted !== true && (await leases.take(lease, LEASE_SECONDS));
  if (!(await mayContinue())) return;
  const round: Round = { ...deps, mayContinue, failed: new Set() };
  try {
    await purgeExpired(round);
    for (const clientId of await bin.clients()) {
      if (!(await mayContinue())) return;
      await fitQuota(round, clientId).catch((err: unknown) => reportFailure(round, { clientId, err }));
    }
    await purgeWhileFull(round);
  } finally {
    await leases.release(lease).catch(() => {});
  }
}

interface Round extends SweepBinDeps {
  /** Resolves to false if the round must end. */
  readonly mayContinue: () => Promise<boolean>;
  /** The clients that had a failure in this round. */
  readonly failed: Set<string>;
}

function reportFailure({ failed, onFailure }: Round, failure: Parameters<SweepBinDeps['onFailure']>[0]): void {
  if (!failed.has(failure.clientId)) onFailure(failure);
  failed.add(failure.clientId);
}

async function purgeExpired(round: Round): Promise<void> {
  const { bin, mayContinue } = round;
  for (let entries = await bin.expired(BATCH); entries.length > 0; entries = await bin.expired(BATCH))
    for (const entry of entries) {
      if (!(await mayContinue())) return;
      await purge(round, entry);
    }
}

async function fitQuota(round: Round, clientId: string): Promise<void> {
  const { bin, stored, clientOf, mayContinue } = round;
  const { storage } = await clientOf(clientId);
  if (storage === undefined) return;
  for (let entries = await bin.oldest(clientId, BATCH); entries.length > 0; entries = await bin.oldest(clientId, BATCH))
    for (const entry of entries) {
      if ((await stored.used(clientId)) + (await bin.used(clientId)) <= storage || !(await mayContinue())) return;
      await purge(round, entry);
    }
}

/** Leaves out clients with a failure: perhaps their bins are on another disk, and then none of their entries gives room. */
async function purgeWhileFull(round: Round): Promise<void> {
  const { bin, isFull, mayContinue, failed } = round;
  const next = () => bin.oldest(undefined, BATCH, [...failed]);
  for (let entries = await next(); entries.length > 0; entries = await next())
    for (const entry of entries) {
      if (failed.has(entry.clientId)) continue;
      if (!(await isFull()) || !(await mayContinue())) return;
      await purge(round, entry);
    }
}

/** Deletes an entry. After a failure, puts it off: otherwise, it would be the first of each round. */
async function purge(round: Round, entry: BinItem): Promise<void> {
  const { bin, clientOf } = round;
  const { clientId, entryId, path, givenUpAt } = entry;
  try {
    const outcome = await purgeEntry(round, entry, (await clientOf(clientId)).root);
    if (outcome !== 'away') return;
    const isLost = givenUpAt !== undefined && Date.parse(givenUpAt) + AWAY_MS < Date.now();
    if (isLost) await bin.remove(entryId);
    reportFailure(round, { clientId, entryId, err: new Error(awayText(path, isLost)) });
  } catch (err) {
    reportFailure(round, { clientId, entryId, err });
  }
  await bin.postpone(entryId, RETRY_SECONDS);
}

const awayText = (path: string, isLost: boolean): string =>
  `The bin with the files of ${JSON.stringify(path)} is missing: its disk is not mounted, or its folder was deleted.${
    isLost ? ' It has been missing for a month, so the entry is dropped.' : ''
  }`;
