import { randomInt } from 'node:crypto';
import { folderOf } from '@telecine/contract/domain/media-path.ts';
import { isTransferName, isWatchedFolderName } from '@telecine/contract/domain/transfer-names.ts';
import type { ScanCost, ScanMemory, WatchedFolder, WatchedStorage } from '../watches/ports.ts';

/** With more marks than this, a burst of changes is cheaper to find by a thorough scan. About a megabyte. */
export const MOST_MARKS = 5000;

/** What the memories of all engines have in common. */
export abstract class WatchMemory implements ScanMemory {
  abstract readonly storage: WatchedStorage | undefined;
  abstract readonly files: number;
  abstract readonly unusable: number;
  unusableName: string | undefined;
  place: string | undefined;
  /** For `hashText`. */
  readonly seed = randomInt(2 ** 32 - 1);
  cost: ScanCost = { processorMs: 0, reads: 0 };
  isOverflowed = false;
  #marks = new Set<string>();

  get hasMarks(): boolean {
    return this.#marks.size > 0;
  }

  mark(path: string): void {
    if (this.isOverflowed) return;
    this.#marks.add(path);
    if (this.#marks.size <= MOST_MARKS) return;
    this.#marks.clear();
    this.isOverflowed = true;
  }

  isMarked(path: string): boolean {
    return this.#marks.has(path);
  }

  /** Returns at most `most` marks and forgets them. */
  takeMarks(most = MOST_MARKS): readonly string[] {
    const taken = [...this.#marks].slice(0, most);
    for (const path of taken) this.#marks.delete(path);
    return taken;
  }
}

/** Whether a watch looks at a path, by its text alone. A path with a slash at its end is a folder. */
export function isWatched(where: WatchedFolder, path: string): boolean {
  const { folder, subfolders } = where;
  if (!path.startsWith(folder) || path === folder) return false;
  const isFolder = path.endsWith('/');
  const file = isFolder ? path.slice(0, -1) : path;
  const name = file.slice(file.lastIndexOf('/') + 1);
  const between = folderOf(file).slice(folder.length);
  if (!subfolders && (isFolder || between !== '')) return false;
  if (!between.split('/').every((one) => isWatchedFolderName(one))) return false;
  return isFolder ? isWatchedFolderName(name) : isWanted(name, where);
}

/** A name that no request can have, as it is shown to people. */
export const shownName = (name: string): string => name.replaceAll(/\p{Cc}/gu, '\uFFFD').slice(0, 200);

/** Whether a file with this name is wanted and complete. */
export const isWanted = (name: string, where: Pick<WatchedFolder, 'accepts'>): boolean =>
  !isTransferName(name) && where.accepts?.(name) !== false;
