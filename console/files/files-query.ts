import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import type { FileEntry } from './file-list.ts';

/** The most entries of a folder that the page reads. Beyond, it searches by the beginning of names. */
const MAX_ENTRIES = 20_000;

export interface FolderContent {
  readonly entries: readonly FileEntry[];
  /** Whether there are more entries than were read. */
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

/** The content of a folder. `beginning`: reads only entries whose names begin so. */
export const folderQuery = (folder: string, beginning = '') =>
  queryOptions({
    queryKey: ['files', folder, beginning],
    queryFn: ({ signal }) => readFolder(folder + beginning, signal),
  });
