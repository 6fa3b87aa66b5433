import { queryOptions } from '@tanstack/react-query';
import { client } from '../../app/client.ts';

/** How often the space is read, in ms: each read adds up what all clients use. */
const POLL_MS = 300_000;

/** The space of the disk of the media, for administrators. */
export const diskQuery = queryOptions({
  queryKey: ['disk'],
  queryFn: ({ signal }) => client.usageOfAll({ limit: 1, signal }),
  refetchInterval: POLL_MS,
});
