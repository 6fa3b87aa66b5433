import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { FileStore, OldBins } from './ports.ts';

/**
 * Moves what version 0.1 has put into bins to where they are now. What cannot be moved stays where it is, under `.telecine-bin`, and the log says
 * so: a bucket has no folder for a bin, and a disk may be away. Call this after a start.
 */
export async function moveOldBins({
  bins,
  store,
  rootOf,
  log,
}: {
  readonly bins: OldBins;
  readonly store: Pick<FileStore, 'moveOldBin'>;
  readonly rootOf: (clientId: string) => Promise<MediaRoot>;
  readonly log: { warn(details: object, message: string): void };
}): Promise<void> {
  for (let old = await bins.next(''); old !== undefined; old = await bins.next(old.entryId)) {
    const { clientId, path, entryId } = old;
    try {
      await store.moveOldBin(await rootOf(clientId), old);
      await bins.remove(entryId);
    } catch (err) {
      log.warn({ clientId, path, entryId, err }, 'deleted file of version 0.1 not moved to the new bin');
    }
  }
}
