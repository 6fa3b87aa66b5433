import type { LargestFiles as Largest } from '@telecine/client';
import { useState } from 'react';
import { rowsInPlaces } from '../../files/rows-in-places.ts';
import type { RestoredEntry } from '../../files/use-file-actions.ts';

interface Rows {
  readonly largestFolders: readonly Largest['largestFolders'][number][];
  readonly largestFiles: readonly Largest['largestFiles'][number][];
}

/** What became of a row. undefined: it is as listed. */
export type RowState = 'Deleting…' | 'In the bin' | 'Restoring…' | 'Deleted';

/** What is done with files of the lists. */
export interface DeleteActions {
  /** Whether deleted files go to the bin. */
  readonly isKept: boolean;
  /** The ids of what is in the bin. */
  readonly inBin: ReadonlySet<string>;
  /** Moves what is at a path of the signed-in client to its bin, after a question if it would be gone. Resolves when the lists were read again. */
  readonly remove: (path: string) => Promise<RestoredEntry | undefined>;
  /** Restores an entry of the bin. Resolves when the lists were read again. */
  readonly restore: (entry: RestoredEntry) => Promise<unknown>;
}

/** The deletion of a row. */
interface Deletion {
  /** Absent: it is not in the bin yet. */
  readonly entry?: RestoredEntry;
  /** What is being done now. */
  readonly pending?: 'Deleting…' | 'Restoring…';
}

interface Frozen extends Rows {
  readonly deletions: ReadonlyMap<string, Deletion>;
}

const pathOf = ({ path }: { readonly path: string }): string => path;

const NOTHING_FROZEN: Frozen = { largestFolders: [], largestFiles: [], deletions: new Map() };

/**
 * The rows of the two lists. After a press of "Delete", all keep their places until another folder or page is opened, so that a second press
 * at the same place deletes nothing else. `toOwn`: converts the path of a row to the path in the media root of the signed-in
 * client.
 */
export function useFrozenRows(largest: Largest, actions: DeleteActions | undefined, toOwn: (path: string) => string) {
  const [frozen, setFrozen] = useState(NOTHING_FROZEN);
  const { deletions } = frozen;
  const listed = new Set([...largest.largestFolders, ...largest.largestFiles].map(({ path }) => path));
  /** The deletion of a row, or of a folder that has it. */
  const deletionOf = (path: string): Deletion | undefined =>
    deletions.get(path) ?? [...deletions].find(([deleted]) => deleted.endsWith('/') && path.startsWith(deleted))?.[1];
  const stateOf = (path: string): RowState | undefined => {
    const deletion = deletionOf(path);
    if (deletion?.pending !== undefined) return deletion.pending;
    if (deletion?.entry === undefined || listed.has(path)) return undefined;
    return actions?.inBin.has(deletion.entry.entryId) === true ? 'In the bin' : 'Deleted';
  };
  const rows: Rows = {
    largestFolders: rowsInPlaces(frozen.largestFolders, largest.largestFolders, pathOf, (folder) => {
      if (deletionOf(folder.path) !== undefined) return folder;
      // All files of the folder were deleted one by one.
      return [...deletions.keys()].some((path) => path.startsWith(folder.path))
        ? { ...folder, files: 0, bytes: 0 }
        : undefined;
    }),
    largestFiles: rowsInPlaces(frozen.largestFiles, largest.largestFiles, pathOf, (file) =>
      deletionOf(file.path) === undefined ? undefined : file,
    ),
  };
  const change = (path: string, deletion: Deletion | undefined): void =>
    setFrozen((now) => {
      const next = new Map(now.deletions);
      if (deletion === undefined) next.delete(path);
      else next.set(path, deletion);
      return { ...now, deletions: next };
    });
  const remove = async (path: string): Promise<void> => {
    if (actions === undefined) return;
    if (actions.isKept) {
      setFrozen({ ...rows, deletions });
      change(path, { pending: 'Deleting…' });
    }
    const entry = await actions.remove(toOwn(path));
    change(path, entry && { entry });
  };
  const undo = async (path: string): Promise<void> => {
    const entry = deletions.get(path)?.entry;
    if (actions === undefined || entry === undefined) return;
    change(path, { entry, pending: 'Restoring…' });
    await actions.restore(entry);
    // The page may draw this before the lists that were read: without the deletion, the row would go, and the focus with it.
    change(path, { entry });
  };
  return {
    rows,
    stateOf,
    remove,
    undo,
    canUndo: (path: string) => deletions.has(path) && stateOf(path) === 'In the bin',
  };
}
