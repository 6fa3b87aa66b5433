import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import type { PreviewedFileFacts } from '@telecine/contract/domain/preview.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { videoOf } from './shown-streams.ts';

/**
 * Returns the duration and the picture size of a previewed file.
 *
 * @param readSeconds The duration, if the file does not state it and the preview has read it.
 */
export function fileFactsOf(info: MediaInfo, readSeconds?: number): PreviewedFileFacts {
  const video = videoOf(info);
  const isCover = info.streams.some(({ index, isAttachedPicture }) => index === video?.index && isAttachedPicture);
  const picture = isCover ? undefined : video;
  // ffprobe gives a still image the duration of one frame.
  const seconds = picture?.isStill ? undefined : (info.format.durationSeconds ?? readSeconds);
  return {
    ...(seconds !== undefined && seconds > 0 && { durationSeconds: rounded(seconds) }),
    ...(picture !== undefined && { width: picture.width, height: picture.height }),
  };
}
