import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';

/** The deleted files that can be restored, and how long the service keeps them. */
export const binQuery = queryOptions({ queryKey: ['bin'], queryFn: ({ signal }) => client.bin({ signal }) });
