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
  /** Returns how many bytes must be freed until the disk of the media is not nearly full. 0 or less: it is not. */
  readonly lacking: () => Promise<number>;
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

/**
 * The maximum number of entries that each part of a round deletes: those above quotas, those for the disk, and expired ones. No part can use up
 * the entries of another one.
 */
const MAX_ENTRIES = 1000;

/** How many expired entries are read at once. */
const BATCH = 50;

/** The delay before the next attempt to delete an entry whose files could not be deleted. */
const RETRY_SECONDS = 3600;

/** How long after it was given up an entry is dropped if its bin is still missing: its disk or its folder is gone for good. */
const AWAY_MS = 30 * DAY_MS;

/**
 * Deletes entries of the bins: the oldest of clients whose files and bin together exceed the quota `storage`, the oldest of all clients while the
 * disk is nearly full, and those that have expired or are given up. Quotas come before the disk, so that a client above its quota makes room before
 * the others, whose entries may be older. A failure of one client does not stop the others. Call this every minute.
 */
export async function sweepBin(deps: SweepBinDeps): Promise<void> {
  const { leases, stopping } = deps;
  const lease = { name: 'bin', holder: randomUUID() };
  const mayContinue = async (): Promise<boolean> =>
    stopping?.aborted !== true && (await leases.take(lease, LEASE_SECONDS));
  if (!(await mayContinue())) return;
  const round: Round = { ...deps, mayContinue, failed: new Set() };
  try {
    await fitQuotas(round);
    await purgeWhileFull(round);
    await purgeExpired(round);
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

async function fitQuotas(round: Round): Promise<void> {
  const { bin, stored, clientOf, mayContinue } = round;
  const above: { readonly clientId: string; readonly bytes: number }[] = [];
  for (const clientId of await bin.clients()) {
    if (!(await mayContinue())) return;
    try {
      const { storage } = await clientOf(clientId);
      if (storage === undefined) continue;
      const bytes = (await stored.used(clientId)) + (await bin.used(clientId)) - storage;
      if (bytes > 0) above.push({ clientId, bytes });
    } catch (err) {
      reportFailure(round, { clientId, err });
    }
  }
  // Each client has the same share, so that none waits for the many entries of another one.
  const share = Math.ceil(MAX_ENTRIES / above.length);
  for (const { clientId, bytes } of above) {
    // What another service adds or deletes meanwhile counts in the next round.
    const lacking = async (freed: number): Promise<number> => bytes - freed;
    await purgeOldest(round, clientId, share, lacking).catch((err: unknown) => reportFailure(round, { clientId, err }));
  }
}

/** Leaves out clients with a failure: perhaps their bins are on another disk, and then none of their entries gives room. */
const purgeWhileFull = (round: Round): Promise<void> => purgeOldest(round, undefined, MAX_ENTRIES, round.lacking);

/**
 * Deletes at most `most` entries of a client, or of all clients without a failure, the oldest first, while bytes are lacking. Begins with entries that
 * are large enough to free all of them in this round: otherwise, thousands of tiny ones that are older would keep a large one for many rounds.
 *
 * @param lacking Returns how many bytes to free, after `freed` bytes of entries were deleted.
 */
async function purgeOldest(
  round: Round,
  clientId: string | undefined,
  most: number,
  lacking: (freed: number) => Promise<number>,
): Promise<void> {
  const { bin, mayContinue, failed } = round;
  let [left, freed] = [most, 0];
  const atFirst = await lacking(freed);
  if (atFirst <= 0) return;
  const isOfAll = clientId === undefined;
  for (const leastBytes of [Math.ceil(atFirst / most), 0]) {
    // One statement for all that this part of the round can delete: it sorts the entries of all clients.
    const next = () => bin.oldest(clientId, left, { leastBytes, except: isOfAll ? [...failed] : [] });
    for (let entries = await next(); entries.length > 0; entries = await next())
      for (const entry of entries) {
        if (isOfAll && failed.has(entry.clientId)) continue;
        if ((await lacking(freed)) <= 0 || !(await mayContinue())) return;
        left -= 1;
        await purge(round, entry);
        freed += entry.bytes;
      }
  }
}

async function purgeExpired(round: Round): Promise<void> {
  const { bin, mayContinue } = round;
  let left = MAX_ENTRIES;
  for (let entries = await bin.expired(BATCH); entries.length > 0; entries = await bin.expired(BATCH))
    for (const entry of entries) {
      if (left-- === 0 || !(await mayContinue())) return;
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
