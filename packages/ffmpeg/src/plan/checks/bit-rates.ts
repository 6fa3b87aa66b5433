import { readPlainNumber } from '../../values/number.ts';
import type { StreamEncoder } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import type { ValueWarning } from './option-targets.ts';

/** Options whose value is a number of bits, or of bits per second. */
export const IN_BITS: ReadonlySet<string> = new Set(['b', 'maxrate', 'minrate', 'bufsize']);

/** Bit rates in bit/s. Below `any`, the output is useless. Below `bare`, a number without a unit is almost certainly a mistake. */
const LIMITS = { video: { any: 10_000, bare: 50_000 }, audio: { any: 2_000, bare: 4_000 } } as const;

/** Bit rates in bit/s that no file for viewers has. 8K video needs 0.1 Gbit/s, stereo audio without compression 5 Mbit/s. */
const ABSURD = { video: 1_000_000_000, audio: 10_000_000 } as const;

/** Encoders for files that viewers play. Encoders for editing can need any bit rate. */
const FOR_DELIVERY =
  /^(?:lib(?:x26[45]|vpx|aom|svtav1|rav1e|openh264|kvazaar|mp3lame|opus|vorbis|fdk)|(?:h264|hevc|vp[89]|av1)_|mpeg[124]|aac|ac3|eac3|mp2|opus|vorbis)/;

/** The highest bit rate of libx264, in bit/s: libx264 stores kilobits in 32 bits. */
const MOST_OF_X264 = 2_147_483_647_000;

/** Encoders of speech, whose bit rates begin at some hundred bit/s. */
const SPEECH: ReadonlySet<string> = new Set(['libcodec2', 'libspeex']);

/**
 * Warns about a bit rate that is so low or so high that it is probably a mistake. ffmpeg reads bits per second. Some clients mean kilobits
 * (`b:a` of 128) or megabits (`b:v` of 4), or write "m", which is a thousandth, for "M".
 */
export function doubtfulBitRate(option: ArgvOption, streams: readonly StreamEncoder[]): ValueWarning | undefined {
  const { name } = option.name;
  const [value = ''] = option.values;
  const rate = readPlainNumber(value);
  const [first] = streams;
  if (!IN_BITS.has(name) || rate === undefined || first === undefined) return undefined;
  const key = sentName(option);
  const kind = kindOf(streams);
  const are = (pattern: RegExp): boolean => streams.every(({ encoder = '' }) => pattern.test(encoder));
  const lowest = /^\d+$/.test(value) ? LIMITS[kind].bare : LIMITS[kind].any;
  // 0 means "no bit rate": the quality alone controls the encoder.
  if (rate > 0 && rate < lowest && !streams.some(({ encoder = '' }) => SPEECH.has(encoder)))
    return {
      warning: {
        code: 'LOW_BIT_RATE',
        message: `"${key}" is only ${readable(rate)} bits${name === 'bufsize' ? '' : ' per second'}. With "k", a number counts thousands, with "M" millions.`,
      },
    };
  if (name === 'bufsize' || rate <= ABSURD[kind] || !are(FOR_DELIVERY)) return undefined;
  const isRejected = rate > MOST_OF_X264 && are(/^libx264/);
  return {
    warning: {
      code: 'UNUSUAL_VALUE',
      message: isRejected
        ? `${first.encoder} takes at most ${MOST_OF_X264} bits per second, but "${key}" is ${readable(rate)}.`
        : `"${key}" is ${readable(rate / 1e6)} megabits per second: more than ${kind === 'video' ? 'any video' : 'any audio'} in this codec needs.`,
      ...(isRejected && { failsWith: 'video' as const }),
    },
  };
}

const kindOf = (streams: readonly StreamEncoder[]): 'audio' | 'video' =>
  streams.every((stream) => stream.kind === 'audio') ? 'audio' : 'video';

const readable = (rate: number): string => String(Number(rate.toPrecision(6)));
