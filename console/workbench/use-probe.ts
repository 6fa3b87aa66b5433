import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { withoutAssumedTiming } from '../media/still-image.ts';
import { errorsOf } from './check-error.ts';
import { type Draft, otherClientOf } from './draft.ts';

const probeQuery = (path: string, isUploading: boolean) =>
  queryOptions({
    queryKey: ['probe', path, isUploading],
    queryFn: ({ signal }) => client.probe({ input: path }, { signal }),
    select: withoutAssumedTiming,
    enabled: path !== '' && !isUploading,
    staleTime: 60_000,
  });

/** Probes a source after it is uploaded. */
export const useProbe = (path: string, isUploading: boolean) => useQuery(probeQuery(path, isUploading));

/**
 * The height of the video of the only source, as players show it. undefined: unknown, or there are several sources. Reads nothing: the card of
 * the source does.
 */
export function useSourceHeight(draft: Draft): number | undefined {
  const { inputs } = draft;
  const path = inputs.length === 1 && otherClientOf(draft) === undefined ? (inputs[0]?.input ?? '') : '';
  const { data } = useQuery({ ...probeQuery(path, false), enabled: false });
  const video = data?.streams.find(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true);
  return (video?.rotationDegrees ?? 0) % 180 === 0 ? video?.height : video?.width;
}

/** The number of sources that cannot be read. Ignores probes that failed for another reason, such as a lost connection. */
export function useUnreadableCount(paths: readonly string[], uploading: readonly string[]): number {
  const probes = useQueries({ queries: paths.map((path) => probeQuery(path, uploading.includes(path))) });
  return probes.filter(({ error }) => errorsOf(error).length > 0).length;
}
