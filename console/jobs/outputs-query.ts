import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';

/** The maximum number of outputs that a page reads, which is one page of the API. Programs can read the other pages. */
export const MAX_OUTPUTS = 1000;

/** The outputs of a job that has more than its own list has. */
export const outputsQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['outputs', jobId],
    queryFn: ({ signal }) => client.outputs(jobId, { limit: MAX_OUTPUTS, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
