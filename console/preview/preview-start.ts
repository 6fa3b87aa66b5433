import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ConversionRequest, MediaInfo } from '@telecine/client';
import { client } from '../app/client.ts';
import { sourceQuery } from '../media/source-query.ts';
import { seekDelay } from '../trim/key-frames.ts';
import type { Range } from '../trim/trim-range.ts';
import { downToMilliseconds } from '../trim/trim-time.ts';
import { chosenPart } from './chosen-part.ts';
import { firstSource } from './missing-preview.ts';
import { hasPlaceForKeyFrame, middleOf, nearestTo } from './preview-range.ts';
import { hasFrames } from './still-seconds.ts';

/** The part of the source that the request converts. `length`: that of the source in seconds, or 0 if it is not known. */
export const previewRange = (request: ConversionRequest, length: number): Range =>
  chosenPart(request, downToMilliseconds(length)) ?? { start: 0, end: length };

/** How long a preview waits for the key frames. They usually take a quarter of a second, but longer on slow storage. */
const KEY_FRAMES_MS = 1000;

/**
 * The query for the time at which the preview of a part begins, if there are no words: at the key frame nearest to the middle. A browser and ffmpeg
 * decode a video from the key frame before a time, which takes seconds if that is far away. The middle, if no key frame is in the part, or if they
 * are not read in time.
 */
export function startQuery(source: string, range: Range) {
  const middle = middleOf(range);
  return queryOptions({
    queryKey: ['preview-start', source, range],
    queryFn: async ({ signal }) => {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(KEY_FRAMES_MS)]);
      const found = await client.probe({ input: source, keyFramesNear: middle }, { signal: limited }).catch(() => {
        signal.throwIfAborted();
        return undefined;
      });
      const keys = found?.keyFrames ?? [];
      const later = seekDelay(keys, found?.format.names ?? []);
      return nearestTo(
        middle,
        keys.map((key) => key + later),
        range,
      );
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Whether a preview of this part can begin at a key frame. */
export const mayStartAtKeyFrame = (request: ConversionRequest, info: MediaInfo | undefined, range: Range): boolean =>
  hasFrames(request, info) && hasPlaceForKeyFrame(range);

/** Reads where a preview begins, before it is opened. */
export function preloadStart(queries: QueryClient, request: ConversionRequest): void {
  const source = firstSource(request) ?? '';
  const info = queries.getQueryData(sourceQuery(source, false).queryKey);
  const range = previewRange(request, info?.format.durationSeconds ?? 0);
  if (mayStartAtKeyFrame(request, info, range)) void queries.prefetchQuery(startQuery(source, range));
}
