import type { QueryClient } from '@tanstack/react-query';
import { WATCHES_KEY, watchedFilesKey, watchKey } from './watch-keys.ts';

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
        : [...due].flatMap((watchId = '') => [watchKey(watchId), watchedFilesKey(watchId)]);
      due.clear();
      await Promise.all(
        [WATCHES_KEY, ...keys].map((queryKey) => queries.invalidateQueries({ queryKey }).catch(() => {})),
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
