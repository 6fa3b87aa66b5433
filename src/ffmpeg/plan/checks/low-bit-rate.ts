import { bitRateFix } from '../../values/bit-rate-fix.ts';
import { readPlainNumber } from '../../values/number.ts';
import type { StreamEncoder } from '../encoders/stream-encoders.ts';
import type { ValueWarning } from './no-effect.ts';

/** Options whose value is a number of bits, or of bits per second. */
const IN_BITS: ReadonlySet<string> = new Set(['b', 'maxrate', 'minrate', 'bufsize']);

/**
 * With a lower bit rate than `any`, pictures or sound are useless. A number without a unit that is lower than `bare` is
 * almost certainly a mistake.
 */
const LIMITS = { video: { any: 10_000, bare: 50_000 }, audio: { any: 2_000, bare: 4_000 } } as const;

/** Encoders of speech, whose bit rates begin at some hundred bits per second. */
const SPEECH: ReadonlySet<string> = new Set(['libcodec2', 'libspeex']);

/**
 * Warns about a bit rate that is too low to be meant. ffmpeg reads bits per second, but clients mean kilobits
 * (`b:a` of 128, `b:v` of 2500), megabits (`b:v` of 4), or write "m", which is a thousandth, for "M".
 */
export function lowBitRate(
  name: string,
  key: string,
  value: string,
  streams: readonly StreamEncoder[],
): ValueWarning | undefined {
  if (!IN_BITS.has(name) || streams.length === 0 || streams.some(({ encoder = '' }) => SPEECH.has(encoder)))
    return undefined;
  const kind = streams.every((stream) => stream.kind === 'audio') ? 'audio' : 'video';
  const rate = readPlainNumber(value);
  const limit = /^\d+$/.test(value) ? LIMITS[kind].bare : LIMITS[kind].any;
  // 0 is a valid way to say "no bit rate": the encoder then uses its quality alone.
  if (rate === undefined || rate <= 0 || rate >= limit) return undefined;
  const isRate = name !== 'bufsize';
  return {
    warning: {
      code: 'LOW_BIT_RATE',
      message: `"${key}" is only ${readable(rate)} bits${isRate ? ' per second' : ''}.`,
      fix: bitRateFix(key, value, kind),
    },
  };
}

const readable = (rate: number): string => String(Number(rate.toPrecision(6)));
