import { readPlainNumber } from '../../values/number.ts';
import type { StreamEncoder } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import type { ValueWarning } from './option-targets.ts';

/** Options whose value is a number of bits, or of bits per second. */
const IN_BITS: ReadonlySet<string> = new Set(['b', 'maxrate', 'minrate', 'bufsize']);

/** Bit rates in bit/s. Below `any`, the output is useless. Below `bare`, a number without a unit is almost certainly a mistake. */
const LIMITS = { video: { any: 10_000, bare: 50_000 }, audio: { any: 2_000, bare: 4_000 } } as const;

/** Encoders of speech, whose bit rates begin at some hundred bit/s. */
const SPEECH: ReadonlySet<string> = new Set(['libcodec2', 'libspeex']);

/** Warns about a bit rate that is so low that it is probably meant in kilobits or megabits: ffmpeg reads bits per second. */
export function doubtfulBitRate(option: ArgvOption, streams: readonly StreamEncoder[]): ValueWarning | undefined {
  const { name } = option.name;
  const [value = ''] = option.values;
  const rate = readPlainNumber(value);
  const isOfSpeech = streams.some(({ encoder = '' }) => SPEECH.has(encoder));
  if (!IN_BITS.has(name) || rate === undefined || streams.length === 0 || isOfSpeech) return undefined;
  const { any, bare } = LIMITS[kindOf(streams)];
  // 0 means "no bit rate": the quality alone controls the encoder.
  if (rate <= 0 || rate >= (/^\d+$/.test(value) ? bare : any)) return undefined;
  return {
    warning: {
      code: 'LOW_BIT_RATE',
      message: `"${sentName(option)}" is only ${readable(rate)} bits${name === 'bufsize' ? '' : ' per second'}. With "k", a number counts thousands, with "M" millions.`,
    },
  };
}

const kindOf = (streams: readonly StreamEncoder[]): 'audio' | 'video' =>
  streams.every((stream) => stream.kind === 'audio') ? 'audio' : 'video';

const readable = (rate: number): string => String(Number(rate.toPrecision(6)));
