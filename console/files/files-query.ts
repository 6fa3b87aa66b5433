import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import type { FileEntry } from './file-list.ts';

/** The maximum number of entries that the page reads of a folder. In a larger folder, the page searches by the beginning of names. */
const MAX_ENTRIES = 20_000;

interface FolderContent {
  readonly entries: readonly FileEntry[];
  /** Whether the folder has more entries than the page reads. */
  readonly isCut: boolean;
}

async function readFolder(prefix: string, signal: AbortSignal): Promise<FolderContent> {
  const entries: FileEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listFiles(prefix, { signal, ...(cursor !== undefined && { cursor }) });
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
