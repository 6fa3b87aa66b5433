import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';

/** Reads the streams, the format and the length of a source. `isUploading`: whether it is still uploaded. */
export const sourceQuery = (path: string, isUploading: boolean) =>
  queryOptions({
    queryKey: ['probe', path, isUploading],
    queryFn: ({ signal }) => client.probe({ input: path }, { signal }),
    staleTime: 60_000,
  });
