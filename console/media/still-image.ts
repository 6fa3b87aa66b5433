import type { MediaInfo } from '@telecine/client';

/** Whether ffmpeg reads a file as one image of a sequence. Then it assumes 25 images a second, which nobody has chosen. */
const isStill = ({ format: { names } }: MediaInfo): boolean =>
  names.some((name) => name === 'image2' || name.endsWith('_pipe'));

/** What a file holds, without the length and the frame rate of a photo. */
export const withoutAssumedTiming = (info: MediaInfo): MediaInfo => {
  if (!isStill(info)) return info;
  const { durationSeconds: _, bitRate: __, ...format } = info.format;
  return { ...info, format, streams: info.streams.map(({ frameRate: _, ...stream }) => stream) };
};
