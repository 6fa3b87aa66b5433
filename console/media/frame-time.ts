import { queryOptions } from '@tanstack/react-query';
import { FRAME_TIMES } from '../../packages/contract/src/wire/endpoints.ts';
import { fetchImage } from './fetch-image.ts';
import { type MediaAddress, PREVIEW_WIDTH } from './media-address.ts';

/**
 * The time of the frame that the poster of a video shows, in seconds: the service chooses one that is not black. null: unknown. The poster is the
 * same image, so that the service renders one.
 */
export function frameTimeQuery(address: MediaAddress | undefined) {
  const url = address?.({ view: 'frame', width: PREVIEW_WIDTH }) ?? '';
  return queryOptions({
    queryKey: ['frame time', url],
    queryFn: async ({ signal }) => readFrameTime((await fetchImage(url, signal)).headers),
    enabled: url !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function readFrameTime(headers: Pick<Headers, 'get'>): number | null {
  const text = headers.get(FRAME_TIMES) ?? '';
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}
