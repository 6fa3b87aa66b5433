import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';

export const jobQuery = (jobId: string) =>
  queryOptions({ queryKey: ['job', jobId], queryFn: ({ signal }) => client.get(jobId, { signal }) });
