import type { QueryClient } from '@tanstack/react-query';

/** All that is read about watches has keys that begin with this one. */
export const WATCHES_KEY = ['watches'] as const;

/**
 * Returns a function that reads again what the page shows of watches. Reads one time after another: events come each second, and a new read
 * would otherwise cancel the one that has not ended. What changes during a read is read again after it.
 */
export function watchReader(queries: Pick<QueryClient, 'invalidateQueries'>): () => void {
  let isReading = false;
  let isDue = false;
  const read = async (): Promise<void> => {
    isReading = true;
    while (isDue) {
      isDue = false;
      await queries.invalidateQueries({ queryKey: WATCHES_KEY }).catch(() => {});
    }
    isReading = false;
  };
  return () => {
    isDue = true;
    if (!isReading) void read();
  };
}
