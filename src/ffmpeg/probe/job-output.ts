import type { JobOutput, OutputStream } from '../../domain/job.ts';
import type { MediaInfo, MediaStream } from '../../domain/media-info.ts';
import { isLanguage } from '../log/stream-line.ts';

/** Converts ffprobe's report about a finished file into the duration and the streams of a job output. */
export const toJobOutput = ({ format, streams }: MediaInfo): Pick<JobOutput, 'durationSeconds' | 'streams'> => ({
  ...(format.durationSeconds === undefined ? {} : { durationSeconds: format.durationSeconds }),
  streams: streams.flatMap((stream) => streamOf(stream) ?? []),
});

function streamOf(stream: MediaStream): OutputStream | undefined {
  const { index, type, codec = 'unknown', profile, language, disposition, isAttachedPicture } = stream;
  if (type === 'unknown') return undefined;
  const { width, height, frameRate, pixelFormat, sampleRate, channelLayout } = stream;
  return {
    index,
    type,
    codec,
    ...(profile === undefined ? {} : { profile }),
    ...(language === undefined || !isLanguage(language) ? {} : { language }),
    ...(disposition.length === 0 ? {} : { disposition }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(frameRate === undefined || isAttachedPicture === true ? {} : { fps: frameRate }),
    ...(pixelFormat === undefined ? {} : { pixelFormat }),
    ...(sampleRate === undefined ? {} : { sampleRate }),
    ...(channelLayout === undefined ? {} : { channels: channelLayout }),
  };
}
