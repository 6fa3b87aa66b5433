import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import type { PreviewedFileFacts } from '@telecine/contract/domain/preview.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { isTurned, videoOf } from './shown-streams.ts';

/**
 * Returns the duration and the frame size of a previewed file.
 *
 * @param readSeconds The duration, if the file does not state it and the preview has read it.
 */
export function fileFactsOf(info: MediaInfo, readSeconds?: number): PreviewedFileFacts {
  const video = videoOf(info);
  const stream = info.streams.find(({ index }) => index === video?.index);
  const picture = stream?.isAttachedPicture ? undefined : video;
  // ffprobe gives a still image the duration of one frame.
  const seconds = picture?.isStill ? undefined : (info.format.durationSeconds ?? readSeconds);
  return {
    ...(seconds !== undefined && seconds > 0 && { durationSeconds: rounded(seconds) }),
    ...(picture !== undefined && stream !== undefined && frameSize(stream)),
  };
}

/** The pixels of the stored frame, rotated. Its width as shown would be 641 for a frame of 640 whose pixels are almost square. */
const frameSize = (stream: MediaStream): Pick<PreviewedFileFacts, 'width' | 'height'> => {
  const { width = 0, height = 0 } = stream;
  return isTurned(stream) ? { width: height, height: width } : { width, height };
};
