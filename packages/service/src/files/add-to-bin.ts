import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { BinEntry, BinHold, BinStore, FileStore } from './ports.ts';
import { purgeEntry } from './purge-entry.ts';

/**
 * The most entries in the bin of one client. The sweep deletes a thousand a minute, and the store adds up all of them to list the bin, which
 * takes milliseconds. A person has fewer in a day.
 */
export const MAX_ENTRIES = 10_000;

/** How many entries one request deletes at most, because a client waits for it: one for the new entry, more after many requests at once. */
const PURGED_AT_ONCE = 10;

/**
 * Adds an entry (see `BinStore.add`). If the bin of the client then has more than `MAX_ENTRIES`, deletes its oldest entries. Throws UNAVAILABLE
 * if none of them can be deleted: then the caller removes the new one, and nothing moves to the bin.
 */
export async function addToBin(
  deps: { readonly bin: BinStore; readonly store: Pick<FileStore, 'purgeFromBin'> },
  root: MediaRoot,
  entry: Parameters<BinStore['add']>[0],
  seconds: number,
  hold: BinHold,
): Promise<BinEntry | undefined> {
  const added = await deps.bin.add(entry, seconds, hold);
  if (added === undefined) return undefined;
  const tooMany = (await deps.bin.count(entry.clientId)) - MAX_ENTRIES;
  if (tooMany <= 0) return added;
  let hasRoom = false;
  // The new entry is held, so it is not among the oldest ones.
  for (const oldest of await deps.bin.oldest(entry.clientId, Math.min(tooMany, PURGED_AT_ONCE))) {
    const outcome = await purgeEntry(deps, oldest, root).catch((error: unknown) => {
      // The entry is given up, so the sweep tries again.
      if (error instanceof Problem) return 'away';
      throw error;
    });
    // `held`: another request deletes or restores it, so it leaves the bin too.
    if (outcome !== 'away') hasRoom = true;
  }
  if (!hasRoom) throw binFull();
  return added;
}

const binFull = (): Problem =>
  new Problem(
    'UNAVAILABLE',
    `The bin has ${MAX_ENTRIES} entries, the most of one client, and its oldest cannot be deleted now. Nothing was deleted or replaced. ` +
      'Send the request again, or without "keep" or Keep-Replaced.',
    { retryAfterSeconds: 1 },
  );
