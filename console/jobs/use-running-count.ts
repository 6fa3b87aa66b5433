import { useCallback, useSyncExternalStore } from 'react';
import { useLiveJobs } from './live-jobs-connection.tsx';

/** How many of these jobs still run, by the stream of events. */
export function useRunningCount(jobIds: readonly string[]): number {
  const live = useLiveJobs();
  const subscribe = useCallback((onChange: () => void) => live.watchList(onChange), [live]);
  return useSyncExternalStore(
    subscribe,
    () => jobIds.filter((jobId) => live.get(jobId)?.status === 'PROCESSING').length,
  );
}
