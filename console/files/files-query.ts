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
