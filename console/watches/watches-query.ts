import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';

export const watchesQuery = queryOptions({
  queryKey: ['watches'],
  queryFn: ({ signal }) => client.watches({ signal }),
});

export const watchQuery = (watchId: string) =>
  queryOptions({ queryKey: ['watch', watchId], queryFn: ({ signal }) => client.watch(watchId, { signal }) });

/** The key of all that is read about the files of a watch. */
export const watchedFilesKey = (watchId: string) => ['watched-files', watchId] as const;
