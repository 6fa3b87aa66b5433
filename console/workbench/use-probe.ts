import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { ClientError } from '@telecine/client';
import { client } from '../app/client.ts';
import { withoutAssumedTiming } from '../media/still-image.ts';

const probeQuery = (path: string, isUploading: boolean) =>
  queryOptions({
    queryKey: ['probe', path, isUploading],
    queryFn: ({ signal }) => client.probe({ input: path }, { signal }),
    select: withoutAssumedTiming,
    enabled: path !== '' && !isUploading,
    staleTime: 60_000,
  });

/** What a source holds, once it is uploaded. */
export const useProbe = (path: string, isUploading: boolean) => useQuery(probeQuery(path, isUploading));

/** How many sources cannot be read, as far as is known. A probe that could not run says nothing about its source. */
export function useUnreadableCount(paths: readonly string[], uploading: readonly string[]): number {
  const probes = useQueries({ queries: paths.map((path) => probeQuery(path, uploading.includes(path))) });
  return probes.filter(({ error }) => error instanceof ClientError && error.errors.length > 0).length;
}
