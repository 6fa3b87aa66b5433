import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ConversionRequest, Session, WatchedFile } from '@telecine/client';
import { client } from '../app/client.ts';
import { pollEvery } from '../operate/poll.ts';
import { mayDo } from '../session/may-do.ts';
import { WATCHES_KEY } from './watch-reader.ts';

/** Events tell when a watch has changed, and then it is read again. Those about scans by another service can get lost, so it is also polled. */
const POLL = pollEvery(60);

export const watchesQuery = queryOptions({
  queryKey: [...WATCHES_KEY, 'list'],
  queryFn: ({ signal }) => client.watches({ signal }),
  ...POLL,
});

export const watchQuery = (watchId: string) =>
  queryOptions({
    queryKey: [...WATCHES_KEY, watchId],
    queryFn: ({ signal }) => client.watch(watchId, { signal }),
    ...POLL,
  });

/** The files of a watch. `state`: only those in this state. `limit`: how many one page has. */
export const watchedFilesQuery = (watchId: string, state: WatchedFile['state'] | undefined, limit = 100) =>
  infiniteQueryOptions({
    queryKey: [...WATCHES_KEY, watchId, 'files', state, limit],
    queryFn: ({ pageParam: cursor, signal }) =>
      client.watchedFiles(watchId, { limit, signal, ...(state && { state }), ...(cursor && { cursor }) }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

/** The request that the workbench hands to the form of a watch, or of a new one. It is in memory only, because it can contain a key. */
export const handedRequest = (watchId = 'new') =>
  queryOptions<ConversionRequest>({ queryKey: ['request for a watch', watchId] });

/** Whether a session may make watches, and change and retry them. */
export const mayMakeWatches = (session: Pick<Session, 'scopes'> | null | undefined): boolean =>
  mayDo(session, 'jobs:write') && mayDo(session, 'files:read');
