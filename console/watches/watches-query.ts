import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { pollEvery } from '../operate/poll.ts';
import { WATCHES_KEY, watchKey } from './watch-keys.ts';

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
