import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { isPreviewPath } from '../preview/preview-job.ts';
import type { FileEntry } from './file-list.ts';
import { type FolderContent, walkFolders } from './walk-folders.ts';

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

/** How long the files of all folders are not read again while the user types. */
const KEEP_MS = 30_000;

/** Reads a folder with all folders in it, except previews. If there are many folders, reads only those near the top. */
export const allFilesQuery = (folder: string) =>
  queryOptions({
    queryKey: ['files', 'all', folder],
    queryFn: ({ signal }) =>
      walkFolders(
        folder,
        (one) => readFolder(one, signal),
        (one) => !isPreviewPath(one),
      ),
    staleTime: KEEP_MS,
  });
