import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { WatchedFile } from '@telecine/client';
import { client } from '../app/client.ts';
import { pollEvery } from '../operate/poll.ts';
import { WATCHES_KEY, watchedFilesKey, watchKey } from './watch-keys.ts';

/** Events tell when a watch has changed, and then it is read again. Those about scans by another service can get lost, so it is also polled. */
const POLL = pollEvery(60);

export const watchesQuery = queryOptions({
  queryKey: WATCHES_KEY,
  queryFn: ({ signal }) => client.watches({ signal }),
  ...POLL,
});

export const watchQuery = (watchId: string) =>
  queryOptions({
    queryKey: watchKey(watchId),
    queryFn: ({ signal }) => client.watch(watchId, { signal }),
    ...POLL,
  });

/** How many files one page of the list has. */
const PAGE = 100;

/** The files of a watch. `state`: only those in this state. */
export const watchedFilesQuery = (watchId: string, state: WatchedFile['state'] | undefined) =>
  infiniteQueryOptions({
    queryKey: [...watchedFilesKey(watchId), 'list', state],
    queryFn: ({ pageParam, signal }) =>
      client.watchedFiles(watchId, {
        limit: PAGE,
        signal,
        ...(state !== undefined && { state }),
        ...(pageParam !== '' && { cursor: pageParam }),
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
