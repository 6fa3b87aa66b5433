import { queryOptions } from '@tanstack/react-query';
import { client } from '../../app/client.ts';

/** Reads whether the service accepts jobs and starts them. */
export const readyQuery = queryOptions({ queryKey: ['ready'], queryFn: ({ signal }) => client.ready({ signal }) });
