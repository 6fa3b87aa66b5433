import type { OutputStream } from '../../domain/job.ts';

const MP4: readonly string[] = 'mp4 mov ipod psp 3gp 3g2 f4v ismv'.split(' ');
const MATROSKA: readonly string[] = ['matroska', 'webm'];

/** Muxers that write down the language of a stream. ffmpeg reports it of every output all the same. */
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

/** MP4 has a cover; which of its tracks plays by default, its muxer decides. Others have none of it. */
const dispositions = (muxer: string, said: readonly string[]): readonly string[] => {
  if (MATROSKA.includes(muxer)) return said;
  return MP4.includes(muxer) ? said.filter((one) => one === 'attached_pic') : [];
};

/**
 * The streams of a finished output, without what its container does not keep. `still`: it is a picture, and the rate
 * that ffmpeg tells is that of where it came from.
 */
export const reportedStreams = (
  muxer: string,
  streams: readonly OutputStream[],
  still: boolean,
): readonly OutputStream[] =>
  streams.map(({ language, disposition = [], fps, ...stream }) => {
    const kept = dispositions(muxer, disposition);
    return {
      ...stream,
      ...(fps === undefined || still ? {} : { fps }),
      ...(language !== undefined && LANGUAGE.has(muxer) ? { language } : {}),
      ...(kept.length === 0 ? {} : { disposition: kept }),
    };
  });
