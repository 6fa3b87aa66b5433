import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';

/**
 * Events tell when a watch has changed, and then it is read again. Those about scans by another service can get lost, so it is also read this
 * often, in milliseconds.
 */
const POLL_MS = 60_000;

export const watchesQuery = queryOptions({
  queryKey: ['watches'],
  queryFn: ({ signal }) => client.watches({ signal }),
  refetchInterval: POLL_MS,
});

export const watchQuery = (watchId: string) =>
  queryOptions({
    queryKey: ['watch', watchId],
    queryFn: ({ signal }) => client.watch(watchId, { signal }),
    refetchInterval: POLL_MS,
  });

/** The key of all that is read about the files of a watch. */
export const watchedFilesKey = (watchId: string) => ['watched-files', watchId] as const;

/** What the page shows of watches is read again after an event. */
export interface WatchReader {
  /** Reads what is shown of a watch, or of all watches. */
  read(watchId?: string): void;
}

/**
 * Reads one time after another: events come each second, and a new read would otherwise cancel the one that has not ended. What changes during
 * a read is read again after it.
 */
export function watchReader(queries: Pick<QueryClient, 'invalidateQueries'>): WatchReader {
  /** undefined: all watches. */
  const due = new Set<string | undefined>();
  let isReading = false;
  const readDue = async (): Promise<void> => {
    isReading = true;
    while (due.size > 0) {
      const keys = due.has(undefined)
        ? [['watch'], ['watched-files']]
        : [...due].flatMap((watchId = '') => [watchQuery(watchId).queryKey, watchedFilesKey(watchId)]);
      due.clear();
      await Promise.all(
        [watchesQuery.queryKey, ...keys].map((queryKey) => queries.invalidateQueries({ queryKey }).catch(() => {})),
      );
    }
    isReading = false;
  };
  return {
    read: (watchId) => {
      due.add(watchId);
      if (!isReading) void readDue();
    },
  };
}
