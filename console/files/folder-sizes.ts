import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../app/client.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import type { FileEntry } from './file-list.ts';

/** The maximum number of folders whose sizes the service returns. */
const MAX_FOLDERS = 100;

/** The sizes of the folders in a folder. The service reads all files below the folder, so ask only if the user sorts by size. */
const folderSizesQuery = (folder: string) =>
  queryOptions({
    queryKey: ['folder sizes', folder],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
      const { largestFolders } = await client.largestFiles({ folder, limit: MAX_FOLDERS, signal });
      return new Map(largestFolders.map(({ path, bytes }) => [path, bytes]));
    },
    staleTime: 60_000,
  });

/** Entries with the sizes of folders. The same array unless `isWanted`. */
export function useFolderSizes(folder: string, entries: readonly FileEntry[], isWanted: boolean): readonly FileEntry[] {
  const { data: session } = useSession();
  const { data: sizes } = useQuery({
    ...folderSizesQuery(folder),
    enabled: isWanted && mayDo(session, 'files:read') && entries.some(({ type }) => type === 'folder'),
  });
  return useMemo(
    () =>
      sizes === undefined || !isWanted
        ? entries
        : entries.map((entry) => {
            const sizeBytes = entry.type === 'folder' ? sizes.get(entry.path) : undefined;
            return sizeBytes === undefined ? entry : { ...entry, sizeBytes };
          }),
    [entries, sizes, isWanted],
  );
}
