import { queryOptions } from '@tanstack/react-query';
import { client } from '../../app/client.ts';

/** All clients of the service. */
export const clientsQuery = queryOptions({
  queryKey: ['clients'],
  queryFn: ({ signal }) => client.clients({ signal }),
});
