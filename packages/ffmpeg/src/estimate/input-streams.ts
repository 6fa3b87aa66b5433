import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import type { Span } from '@telecine/contract/domain/plan.ts';
import { readNumber } from '../values/number.ts';
import { readRate } from '../values/rate.ts';
import { STILL, secondsAfterCut } from '../values/span-length.ts';
import { type CommandOptions, type Link, lastOf, NoEstimate } from './links.ts';

export interface EstimatedInput {
  readonly media: MediaInfo;
  /** The seconds that ffmpeg reads from the input. Infinity: it never ends, as with `-loop 1`. */
  readonly seconds: number;
  readonly streams: readonly MediaStream[];
}

const isImage = ({ format }: MediaInfo): boolean => format.names.some((name) => STILL.test(name));

/** The frame rate of images that ffmpeg reads as a video, if no option sets another. */
const IMAGE_RATE = 25;

/** Combines what ffprobe found in an input with its options. Throws `NoEstimate`. */
export function estimatedInput(media: MediaInfo, options: CommandOptions, cut: Span['output']): EstimatedInput {
  const loops = Number(lastOf(options, 'stream_loop') ?? 0);
  const isLooped = loops === -1 || /^(?:1|true|yes)$/.test(lastOf(options, 'loop') ?? '');
  const rate = readRate(lastOf(options, 'r', 'framerate') ?? '') ?? IMAGE_RATE;
  const own = isImage(media) ? 1 / rate : media.format.durationSeconds;
  if (own === undefined && !isLooped)
    throw new NoEstimate('The input has no known duration. Send "t" to limit the output.');
  const fromEnd = lastOf(options, 'sseof');
  const whole = isLooped ? Number.POSITIVE_INFINITY : (own ?? 0) * (loops > 0 ? loops + 1 : 1);
  const available = fromEnd === undefined ? whole : Math.min(whole, Math.abs(Number(fromEnd)) || whole);
  const seconds = secondsAfterCut(available, cut);
  return { media, seconds, streams: media.streams };
}

/** A stream before filters and encoders. undefined: subtitles or data. The frame size is 0 by 0 if ffprobe does not find it. */
export function linkOf(
  stream: MediaStream,
  { media, seconds }: EstimatedInput,
  options: CommandOptions,
): Link | undefined {
  if (stream.type === 'audio')
    return { kind: 'audio', sampleRate: stream.sampleRate ?? 48_000, channels: stream.channels ?? 2, seconds };
  if (stream.type !== 'video') return undefined;
  const { width = 0, height = 0 } = stream;
  const fps = frameRateOf(stream, media, options, seconds);
  const turned = Math.abs((stream.rotationDegrees ?? 0) % 180) === 90 && lastOf(options, 'noautorotate') === undefined;
  return {
    kind: 'video',
    width: turned ? height : width,
    height: turned ? width : height,
    fps: fps > 0 ? fps : IMAGE_RATE,
    seconds,
    source: withBitRate(stream, media),
  };
}

function frameRateOf(
  { isAttachedPicture, frameRate = IMAGE_RATE }: MediaStream,
  media: MediaInfo,
  options: CommandOptions,
  seconds: number,
): number {
  // A cover has one frame. Ignore the 90,000 frames per second that ffprobe reports for it.
  if (isAttachedPicture === true) return 1 / (Number.isFinite(seconds) ? Math.max(seconds, 0.1) : 1);
  return readRate(lastOf(options, 'r', 'framerate') ?? '') ?? (isImage(media) ? IMAGE_RATE : frameRate);
}

/** The bits per second of a stream. If not stated: the bit rate of the file minus that of the other streams. undefined: unknown. */
export function bitRateOf(stream: MediaStream, { format, streams }: MediaInfo): number | undefined {
  const tagged = readNumber(stream.tags['BPS'] ?? stream.tags['BPS-eng'] ?? '');
  const own = stream.bitRate ?? tagged;
  if (own !== undefined) return own;
  const whole = format.bitRate;
  if (whole === undefined) return undefined;
  const others = streams.filter((each) => each !== stream && (each.type === 'video' || each.type === 'audio'));
  const known = others.map((each) => each.bitRate ?? (each.type === 'audio' ? TYPICAL_AUDIO : undefined));
  if (known.includes(undefined)) return undefined;
  const left = whole - known.reduce<number>((sum, rate) => sum + (rate ?? 0), 0);
  if (stream.type === 'audio' && others.some(({ type }) => type === 'video')) return TYPICAL_AUDIO;
  return left > 0 ? left : undefined;
}

/** A stream with its bit rate also where it is that of the file minus those of the other streams. */
export function withBitRate(stream: MediaStream, media: MediaInfo): MediaStream {
  const bitRate = bitRateOf(stream, media);
  return bitRate === undefined ? stream : { ...stream, bitRate };
}

/** The usual bit rate of audio, in bit/s. Some containers, such as Matroska, do not state the rate. */
const TYPICAL_AUDIO = 128_000;
