import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { Session } from '@telecine/client';
import { useMemo } from 'react';
import { client } from '../app/client.ts';
import { clientsQuery } from '../operate/clients/clients-query.ts';
import { pathInRoot } from '../operate/usage/path-in-root.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { clientSizes } from './client-sizes.ts';
import type { FileEntry } from './file-list.ts';

/** The maximum number of folders whose sizes the service returns. */
const MAX_FOLDERS = 100;

/** The maximum number of clients that are read. */
const MAX_CLIENTS = 1000;

type Sizes = ReadonlyMap<string, number>;

/**
 * The sizes of the folders in a folder, as far as the service has counted their files. It reads one row for each file below the folder, so ask
 * only if the user sorts by size.
 */
const folderSizesQuery = (folder: string, session: Session | null | undefined) =>
  queryOptions({
    queryKey: ['folder sizes', folder],
    queryFn: async ({ signal, client: queries }): Promise<Sizes> => {
      const { largestFolders } = await client.largestFiles({ folder, limit: MAX_FOLDERS, signal });
      const own = largestFolders.map(({ path, bytes }) => ({ path, bytes }));
      const others = session != null && mayDo(session, 'admin') ? await sizesOfOthers(folder, session, queries) : [];
      const sizes = new Map<string, number>();
      for (const { path, bytes } of [...own, ...others]) sizes.set(path, (sizes.get(path) ?? 0) + bytes);
      return sizes;
    },
    staleTime: 60_000,
  });

/** The sizes of folders of other clients in a folder of an administrator. */
async function sizesOfOthers(folder: string, { clientId }: Session, queries: QueryClient) {
  const [{ clients }, usage] = await Promise.all([
    queries.ensureQueryData(clientsQuery),
    client.usageOfAll({ limit: MAX_CLIENTS }),
  ]);
  const root = clients.find((one) => one.clientId === clientId)?.root;
  if (root === undefined) return [];
  const places = clients.flatMap((one) => {
    const place = one.clientId === clientId ? undefined : pathInRoot(one.root, root);
    return place === undefined ? [] : { client: one.clientId, place };
  });
  const { sizes, inside } = clientSizes(folder, places, usage.clients);
  const read = await Promise.all(
    inside.map(async ({ client: of, place }) => {
      const { largestFolders } = await client.largestFiles({
        client: of,
        folder: folder.slice(place.length),
        limit: MAX_FOLDERS,
      });
      return largestFolders.map(({ path, bytes }) => ({ path: place + path, bytes }));
    }),
  );
  return [...sizes, ...read.flat()];
}

/** Entries with the sizes of folders. The same array unless `isWanted`. */
export function useFolderSizes(folder: string, entries: readonly FileEntry[], isWanted: boolean): readonly FileEntry[] {
  const { data: session } = useSession();
  const { data: sizes } = useQuery({
    ...folderSizesQuery(folder, session),
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
