import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { FileStore, OldBins } from './ports.ts';

const PAGE = 100;

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
  for (let last = '', entries = await bins.list(last, PAGE); entries.length > 0; entries = await bins.list(last, PAGE))
    for (const entry of entries) {
      last = entry.entryId;
      const { clientId, path, entryId } = entry;
      const moved = await rootOf(clientId)
        .then((root) => store.moveOldBin(root, entry))
        .then(
          (isMoved) => ({ isMoved, err: undefined }),
          (err: unknown) => ({ isMoved: false, err }),
        );
      if (moved.isMoved) await bins.remove(entryId);
      else
        log.warn({ clientId, path, entryId, err: moved.err }, 'deleted file of version 0.1 not moved to the new bin');
    }
}
