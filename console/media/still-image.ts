import type { MediaInfo } from '@telecine/client';

/** Whether ffmpeg reads the file as an image sequence. ffmpeg then assumes a frame rate of 25, although a single image has none. */
const isStill = ({ format: { names } }: MediaInfo): boolean =>
  names.some((name) => name === 'image2' || name.endsWith('_pipe'));

/** Removes the assumed duration, bit rate and frame rate from the information about an image. */
export const withoutAssumedTiming = (info: MediaInfo): MediaInfo => {
  if (!isStill(info)) return info;
  const { durationSeconds: _, bitRate: __, ...format } = info.format;
  return { ...info, format, streams: info.streams.map(({ frameRate: _, ...stream }) => stream) };
};
