import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { BinStore, FileStore, FilesInBin } from './ports.ts';

export interface PurgeDeps {
  readonly bin: Pick<BinStore, 'giveUp' | 'remove'>;
  readonly store: Pick<FileStore, 'purgeFromBin'>;
}

/**
 * Deletes the files of an entry, and then the entry. Gives the entry up first: otherwise, a restore at the same time, or
 * after a crash, could bring back a part of a folder. `root`: the media root that the client has now.
 *
 * @returns `held`: its files are being moved, or another request has deleted the entry. `away`: the disk with its files is
 * not mounted; a later sweep deletes them.
 */
export async function purgeEntry(
  { bin, store }: PurgeDeps,
  entry: FilesInBin,
  root: MediaRoot,
): Promise<'purged' | 'held' | 'away'> {
  if (!(await bin.giveUp(entry.entryId))) return 'held';
  if (!(await store.purgeFromBin(root, entry))) return 'away';
  await bin.remove(entry.entryId);
  return 'purged';
}
