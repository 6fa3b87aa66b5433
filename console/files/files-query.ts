import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import type { FileEntry } from './file-list.ts';

/** What was read of a folder. */
interface FolderContent {
  readonly entries: readonly FileEntry[];
  /** Whether there are more entries. */
  readonly isCut: boolean;
}

/** The maximum number of entries that the page reads of a folder. In a larger folder, the page searches by the beginning of names. */
const MAX_ENTRIES = 20_000;

/** The maximum number of entries that the service lists at once. */
const PAGE = 1000;

async function readFolder(prefix: string, signal: AbortSignal): Promise<FolderContent> {
  const entries: FileEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listFiles(prefix, { limit: PAGE, signal, ...(cursor !== undefined && { cursor }) });
    entries.push(...page.files);
    cursor = page.nextCursor;
  } while (cursor !== undefined && entries.length < MAX_ENTRIES);
  return { entries, isCut: cursor !== undefined };
}

/** Reads the content of a folder. `beginning`: reads only entries whose names begin with this text. */
export const folderQuery = (folder: string, beginning = '') =>
  queryOptions({
    queryKey: ['files', folder, beginning],
    queryFn: ({ signal }) => readFolder(folder + beginning, signal),
  });

/** The maximum number of files that a search reads. */
const MAX_FOUND = 200;

/**
 * Searches all folders. `left`: what was not read: more files that have the words, or files whose names the service has not looked at, because it
 * looks at a limited number at once. undefined: nothing.
 */
export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['files', 'search', q],
    queryFn: async ({ signal }) => {
      const { files, nextCursor } = await client.listFiles('', { q, limit: MAX_FOUND, signal });
      const left = files.length === MAX_FOUND ? ('found' as const) : ('names' as const);
      return { entries: files, left: nextCursor === undefined ? undefined : left };
    },
  });
