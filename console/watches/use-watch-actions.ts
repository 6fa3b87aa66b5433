import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WatchChange } from '@telecine/client';
import { client } from '../app/client.ts';
import { watchedFilesKey } from './watch-keys.ts';
import { watchesQuery, watchQuery } from './watches-query.ts';

/** Scans, pauses, drains and resumes a watch. `onScan`: called when a scan was requested. */
export function useWatchActions(watchId: string, onScan?: () => void) {
  const queries = useQueryClient();
  const { queryKey } = watchQuery(watchId);
  const change = useMutation({
    mutationFn: (state: NonNullable<WatchChange['state']>) => client.changeWatch(watchId, { state }),
    onSuccess: (changed) => {
      queries.setQueryData(queryKey, changed);
      void queries.invalidateQueries({ queryKey: watchesQuery.queryKey });
    },
  });
  const scan = useMutation({
    mutationFn: () => client.scanWatch(watchId),
    onSuccess: () => {
      for (const each of [queryKey, watchesQuery.queryKey, watchedFilesKey(watchId)])
        void queries.invalidateQueries({ queryKey: each });
      onScan?.();
    },
  });
  const reset = (): void => {
    change.reset();
    scan.reset();
  };
  return { change, scan, error: change.error ?? scan.error, reset };
}
