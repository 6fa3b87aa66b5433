import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { WATCHES_KEY, watchKey } from './watch-keys.ts';

/**
 * Events tell when a watch has changed, and then it is read again. Those about scans by another service can get lost, so it is also read this
 * often, in milliseconds.
 */
const POLL_MS = 60_000;

export const watchesQuery = queryOptions({
  queryKey: WATCHES_KEY,
  queryFn: ({ signal }) => client.watches({ signal }),
  refetchInterval: POLL_MS,
});

export const watchQuery = (watchId: string) =>
  queryOptions({
    queryKey: watchKey(watchId),
    queryFn: ({ signal }) => client.watch(watchId, { signal }),
    refetchInterval: POLL_MS,
  });
