import type { MediaStream } from '@telecine/contract/domain/media-info.ts';

/** What the disposition `default` counts (`choose_output` of ffmpeg 5.1 to 8): more than the pixels of 1080p, less than those of 4K. */
const DEFAULT_SCORE = 5_000_000;

/**
 * The stream of a kind that ffmpeg selects without `map`: the video with the largest frames, or the audio with the most channels, if none has
 * the disposition `default`. Covers are last.
 */
export function bestStream(kind: 'video' | 'audio', streams: readonly MediaStream[]): MediaStream | undefined {
  const score = ({ width = 0, height = 0, channels = 0, disposition, isAttachedPicture }: MediaStream): number => {
    if (isAttachedPicture === true) return 1;
    const size = kind === 'video' ? width * height : channels;
    return size + (disposition?.includes('default') === true ? DEFAULT_SCORE : 0);
  };
  const [best] = streams.filter(({ type }) => type === kind).toSorted((a, b) => score(b) - score(a));
  return best;
}
