import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { watchesQuery } from './watches-query.ts';

/** The ids of the watches of the signed-in client, by the folders that they watch. Of several of one folder, the newest. */
export function useWatchedFolders(): ReadonlyMap<string, string> {
  const { data: session } = useSession();
  const { data } = useQuery({ ...watchesQuery, enabled: mayDo(session, 'jobs:read') });
  const own = session?.clientId;
  return useMemo(
    () =>
      new Map(
        data?.watches.filter(({ client }) => client === own).map(({ folder, watchId }) => [folder, watchId] as const),
      ),
    [data, own],
  );
}
