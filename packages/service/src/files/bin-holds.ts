import { randomUUID } from 'node:crypto';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { BinEntry, BinHold, BinStore, FileStore } from './ports.ts';

/** How long an entry is held. A service that is killed, or paused for longer, loses its hold. */
const HOLD_SECONDS = 60;

/** Creates a hold on an entry, for `BinStore.add` and `BinStore.hold`. `holder`: whoever has this name has the same hold. */
export const newHold = (holder: string = randomUUID()): BinHold => ({ holder, seconds: HOLD_SECONDS });

/** Renews a hold until the result is disposed of. Ignores a failed renewal: the next comes before the hold ends. */
export function renewHold(bin: Pick<BinStore, 'hold'>, entryId: string, hold: BinHold): Disposable {
  const timer = setInterval(
    () => void bin.hold(entryId, hold).catch(() => undefined),
    (hold.seconds * 1000) / 3,
  ).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Ends the hold of an entry whose files have arrived in the bin. Resolves to false, and deletes the files, if the entry was
 * deleted meanwhile, because this process was paused until its hold had ended.
 */
export async function endHold(
  { bin, store }: { readonly bin: Pick<BinStore, 'release' | 'find'>; readonly store: Pick<FileStore, 'purgeFromBin'> },
  root: MediaRoot,
  entry: BinEntry,
  { holder }: BinHold,
): Promise<boolean> {
  const { clientId, entryId } = entry;
  // If the hold has ended, another request may restore the entry now.
  if ((await bin.release(entryId, holder)) || (await bin.find(clientId, entryId)) !== undefined) return true;
  await store.purgeFromBin(root, entry);
  return false;
}
