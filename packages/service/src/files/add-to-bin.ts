import type { Caller } from '@telecine/contract/domain/client.ts';
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
 * Adds an entry (see `BinStore.add`). If the bin of the client then has more than `MAX_ENTRIES`, or more bytes than the quota `storage`, deletes
 * its oldest entries, first those that are large enough to make the room together. Small ones may be left for the sweep, but a bin never has much
 * more than the quota. Throws UNAVAILABLE if no entry can be deleted: then the caller removes the new one, and nothing moves to the bin.
 */
export async function addToBin(
  deps: { readonly bin: BinStore; readonly store: Pick<FileStore, 'purgeFromBin'> },
  { root, policy: { storage } }: Pick<Caller, 'root' | 'policy'>,
  entry: Parameters<BinStore['add']>[0],
  seconds: number,
  hold: BinHold,
): Promise<BinEntry | undefined> {
  const { bin } = deps;
  const { clientId } = entry;
  const added = await bin.add(entry, seconds, hold);
  if (added === undefined) return undefined;
  // The new entry is held, so it is neither among the used bytes nor among the oldest entries.
  const used = storage === undefined ? 0 : await bin.used(clientId);
  let tooLarge = Math.min(used, used + entry.bytes - (storage ?? 0));
  let tooMany = (await bin.count(clientId)) - MAX_ENTRIES;
  const isFull = (): boolean => tooMany > 0 || tooLarge > 0;
  let hasRoom = !isFull();
  let left = tooLarge > 0 ? PURGED_AT_ONCE : Math.min(Math.max(0, tooMany), PURGED_AT_ONCE);
  for (const leastBytes of left === 0 ? [] : [Math.max(0, Math.ceil(tooLarge / left)), 0])
    for (const oldest of await bin.oldest(clientId, left, { leastBytes })) {
      if (!isFull()) return added;
      left -= 1;
      const outcome = await purgeEntry(deps, oldest, root).catch((error: unknown) => {
        // The entry is given up, so the sweep tries again.
        if (error instanceof Problem) return 'away';
        throw error;
      });
      // `held`: another request deletes or restores it, so it leaves the bin too.
      if (outcome === 'away') continue;
      hasRoom = true;
      tooMany -= 1;
      tooLarge -= oldest.bytes;
    }
  if (!hasRoom) throw binFull(tooMany > 0 ? `${MAX_ENTRIES} entries` : 'the bytes of your quota "storage"');
  return added;
}

const binFull = (limit: string): Problem =>
  new Problem(
    'UNAVAILABLE',
    `The bin is full: it has ${limit}, and its oldest entries cannot be deleted now. ` +
      'Nothing was deleted or replaced. Send the request again, or without "keep" or Keep-Replaced.',
    { retryAfterSeconds: 1 },
  );
