import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WatchChange } from '@telecine/client';
import { client } from '../app/client.ts';
import { watchesQuery, watchQuery } from './watches-query.ts';

/** Pauses and resumes a watch. */
export function useWatchActions(watchId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (state: NonNullable<WatchChange['state']>) => client.changeWatch(watchId, { state }),
    onSuccess: (changed) => {
      queries.setQueryData(watchQuery(watchId).queryKey, changed);
      void queries.invalidateQueries({ queryKey: watchesQuery.queryKey });
    },
  });
}
