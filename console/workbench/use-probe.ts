import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import type { MediaInfo } from '@telecine/client';
import { sourceQuery } from '../media/source-query.ts';
import { withoutAssumedTiming } from '../media/still-image.ts';
import { errorsOf } from './check-error.ts';
import { type Draft, otherClientOf } from './draft.ts';

/** See `sourceQuery`. The times of an image are left out. */
export const probeQuery = (path: string, isUploading: boolean) =>
  queryOptions({
    ...sourceQuery(path, isUploading),
    select: withoutAssumedTiming,
    enabled: path !== '' && !isUploading,
  });

/** Probes a source after it is uploaded. */
export const useProbe = (path: string, isUploading: boolean) => useQuery(probeQuery(path, isUploading));

/** What is known of the first source. undefined: nothing yet. Reads nothing: the card of the source does. */
export function useFirstSource(draft: Draft): MediaInfo | undefined {
  return useReadSource(otherClientOf(draft) === undefined ? draft.inputs[0]?.input : undefined);
}

/** What is known of a source of the user. undefined: nothing yet. Reads nothing: the card of the source does. */
export const useReadSource = (path = ''): MediaInfo | undefined =>
  useQuery({ ...probeQuery(path, false), enabled: false }).data;

/** The height of the video of the only source, as players show it. undefined: unknown, or there are several sources. */
export function useSourceHeight(draft: Draft): number | undefined {
  const first = useFirstSource(draft);
  const data = draft.inputs.length === 1 ? first : undefined;
  const video = data?.streams.find(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true);
  return (video?.rotationDegrees ?? 0) % 180 === 0 ? video?.height : video?.width;
}

/** The number of sources that cannot be read. Ignores probes that failed for another reason, such as a lost connection. */
export function useUnreadableCount(paths: readonly string[], uploading: readonly string[]): number {
  const probes = useQueries({ queries: paths.map((path) => probeQuery(path, uploading.includes(path))) });
  return probes.filter(({ error }) => errorsOf(error).length > 0).length;
}
