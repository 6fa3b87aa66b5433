import type { MediaFormat, MediaStream } from '../../domain/media-info.ts';

/** Demuxers that estimate how long a file is, by its bit rate. */
const ESTIMATED: ReadonlySet<string> = new Set(['aac', 'mp3']);

/** Whether ffprobe only estimates the length of such a file. */
export const isLengthEstimated = ({ names }: Pick<MediaFormat, 'names'>): boolean =>
  names.some((name) => ESTIMATED.has(name));

/** The highest sample rate of MPEG-2 audio, whose layer III has packets of half as many samples. */
const LOW_RATE = 24_000;

/** How long a sound is that has this many packets. undefined for codecs whose packets differ. */
export function secondsOfPackets(
  { codec, profile = '', sampleRate }: MediaStream,
  count: number | undefined,
): number | undefined {
  if (count === undefined || sampleRate === undefined) return undefined;
  const samples = new Map([
    // The decoder doubles the rate of HE-AAC.
    ['aac', profile.startsWith('HE') ? 2048 : 1024],
    ['mp3', sampleRate <= LOW_RATE ? 576 : 1152],
    ['mp2', 1152],
    ['mp1', 384],
  ]).get(codec ?? '');
  return samples === undefined ? undefined : (count * samples) / sampleRate;
}
