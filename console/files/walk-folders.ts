import type { FileEntry } from './file-list.ts';

/** What was read of a folder, or of several. */
export interface FolderContent {
  readonly entries: readonly FileEntry[];
  /** Whether there are more entries. */
  readonly isCut: boolean;
}

/** How many folders are read, and how many of them at once. The service lists one folder per request. */
const LIMITS = { folders: 100, atOnce: 4, entries: 20_000 } as const;

/**
 * Reads a folder and all folders in it, those near the top first, until there are too many.
 *
 * @param isWanted Whether what is in a folder counts.
 */
export async function walkFolders(
  top: string,
  read: (folder: string) => Promise<FolderContent>,
  isWanted: (folder: string) => boolean = () => true,
  limits: Readonly<Record<keyof typeof LIMITS, number>> = LIMITS,
): Promise<FolderContent> {
  const entries: FileEntry[] = [];
  const folders = [top];
  let isCut = false;
  for (let at = 0; at < folders.length; ) {
    const next = folders.slice(at, Math.min(at + limits.atOnce, limits.folders));
    if (next.length === 0 || entries.length >= limits.entries) return { entries, isCut: true };
    at += next.length;
    for (const found of await Promise.all(next.map(read))) {
      entries.push(...found.entries);
      isCut ||= found.isCut;
      folders.push(...found.entries.flatMap(({ type, path }) => (type === 'folder' && isWanted(path) ? [path] : [])));
    }
  }
  return { entries, isCut };
}
