import type { OutputStream } from '../../domain/job.ts';

const MP4: readonly string[] = 'mp4 mov ipod psp 3gp 3g2 f4v ismv'.split(' ');
const MATROSKA: readonly string[] = ['matroska', 'webm'];

/** Muxers that store the language of a stream. ffmpeg reports it for every output. */
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

/** Matroska stores all dispositions. MP4 stores only the cover; its muxer chooses the default track. Others store none. */
const dispositions = (muxer: string, reported: readonly string[]): readonly string[] => {
  if (MATROSKA.includes(muxer)) return reported;
  return MP4.includes(muxer) ? reported.filter((one) => one === 'attached_pic') : [];
};

/**
 * The streams of a finished output, without properties that its container does not store.
 *
 * @param still Whether the output is a still image; ffmpeg then reports the frame rate of the source.
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
