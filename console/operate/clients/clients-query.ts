import { queryOptions } from '@tanstack/react-query';
import { client } from '../../app/client.ts';

export const clientsQuery = queryOptions({
  queryKey: ['clients'],
  queryFn: ({ signal }) => client.clients({ signal }),
});
