import type { OutputStream } from '../../domain/job.ts';

const MP4: readonly string[] = 'mp4 mov ipod psp 3gp 3g2 f4v ismv'.split(' ');
const MATROSKA: readonly string[] = ['matroska', 'webm'];

/** Muxers that store the language of a stream. ffmpeg reports a language even if the muxer does not store it. */
const LANGUAGE: ReadonlySet<string> = new Set([
  ...MP4,
  ...MATROSKA,
  'mpegts',
  'nut',
  'ogg',
  'oga',
  'ogv',
  'opus',
  'spx',
]);

/**
 * Returns the dispositions that the container stores. Matroska stores all of them. MP4 stores only that of a cover, and
 * its muxer chooses the default track. Other containers store none.
 */
const dispositions = (muxer: string, reported: readonly string[]): readonly string[] => {
  if (MATROSKA.includes(muxer)) return reported;
  return MP4.includes(muxer) ? reported.filter((one) => one === 'attached_pic') : [];
};

/**
 * Returns the streams of a finished output, without properties that its container does not store.
 *
 * @param still Whether the output is a still image. ffmpeg then reports the frame rate of the input, which is omitted.
 */
export const reportedStreams = (
  muxer: string,
  streams: readonly OutputStream[],
  still: boolean,
): readonly OutputStream[] =>
  streams.map(({ language, disposition = [], fps, ...stream }) => {
    const stored = dispositions(muxer, disposition);
    return {
      ...stream,
      ...(fps === undefined || still ? {} : { fps }),
      ...(language !== undefined && LANGUAGE.has(muxer) ? { language } : {}),
      ...(stored.length === 0 ? {} : { disposition: stored }),
    };
  });
