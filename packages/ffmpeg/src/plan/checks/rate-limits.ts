import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { readPlainNumber } from '../../values/number.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, lastValue, sentName } from '../request/argv-option.ts';
import { IN_BITS } from './bit-rates.ts';
import type { OutputContext } from './option-targets.ts';

/** Encoders that keep to `maxrate` if `bufsize` is set, even if `b` is higher. */
const LIMITING: ReadonlySet<string> = new Set(['libx264', 'libx264rgb', 'libx265']);
/** Encoders that ignore a `maxrate` below `b`. Tested with ffmpeg 5.1 and 7.1. */
const IGNORING: ReadonlySet<string> = new Set(['libvpx', 'libvpx-vp9', 'libaom-av1']);
/** ffmpeg's own encoders with the rate control of `mpegvideo_enc.c`, which rejects rates that contradict each other. */
const NATIVE: ReadonlySet<string> = new Set(
  'mpeg1video mpeg2video mpeg4 h261 h263 h263p flv msmpeg4 msmpeg4v2 wmv1 wmv2 rv10 rv20 mjpeg amv'.split(' '),
);
/** The encoders of `NATIVE` that choose a buffer size themselves. */
const WITH_OWN_BUFFER: ReadonlySet<string> = new Set('mpeg1video mpeg2video mpeg4 msmpeg4 msmpeg4v2'.split(' '));

interface Rate {
  readonly option: ArgvOption;
  /** As the client sent it: `2M`. */
  readonly text: string;
  /** In bits per second. */
  readonly bits: number;
}

/** The bit rates of one video stream: `b`, `maxrate`, `minrate` and `bufsize`. */
interface Rates {
  readonly encoder: string;
  readonly average?: Rate | undefined;
  readonly highest?: Rate | undefined;
  readonly lowest?: Rate | undefined;
  readonly buffer?: Rate | undefined;
}

/** Warns about bit rates that contradict each other, such as `maxrate` below `b:v`. Adds an error if the encoder rejects them. */
export function checkRateLimits({ options, encoders, errors }: OutputContext): readonly Warning[] {
  const inLibrary = libraryLimits(options, encoders);
  if (inLibrary !== undefined) return [inLibrary];
  const rates = videoRates(options, encoders);
  if (rates === undefined) return [];
  const { encoder, highest, average, lowest, buffer } = rates;
  const isNative = NATIVE.has(encoder);
  if (average !== undefined && highest !== undefined && highest.bits < average.bits) {
    const found = belowAverage(rates, average, highest, options);
    if (found !== undefined && (isNative || encoder === 'libsvtav1')) errors.push({ ...found, code: 'BAD_VALUE' });
    else if (found !== undefined) return [found];
  } else if (isNative && average !== undefined && lowest !== undefined && lowest.bits > average.bits) {
    errors.push({
      field: lowest.option.field,
      code: 'BAD_VALUE',
      message: `"${sentName(lowest.option)}" (${lowest.text}) is above "${sentName(average.option)}" (${average.text}), which ${encoder} rejects.`,
    });
  } else if (isNative) {
    const lacking = lackingLimit(encoder, highest, buffer);
    if (lacking !== undefined) errors.push(lacking);
  }
  return [];
}

function belowAverage(
  { encoder, buffer }: Rates,
  average: Rate,
  highest: Rate,
  options: readonly ArgvOption[],
): (Warning & { readonly field: string }) | undefined {
  // With a quality, the encoder ignores the average rate, about which another check warns.
  const hasQuality = ['crf', 'qp'].some((key) => options.some(({ name }) => name.name === key));
  const isIgnored = IGNORING.has(encoder);
  if (LIMITING.has(encoder) && (buffer === undefined || hasQuality)) return undefined;
  const effect = LIMITING.has(encoder)
    ? `${encoder} writes ${highest.text} per second, not ${average.text}`
    : isIgnored
      ? `${encoder} ignores "maxrate", and writes ${average.text} per second`
      : `${encoder} rejects this`;
  return {
    field: highest.option.field,
    code: 'UNUSUAL_VALUE',
    message: `"${sentName(highest.option)}" (${highest.text}) is below "${sentName(average.option)}" (${average.text}): ${effect}.`,
  };
}

/** The error for `maxrate` without `bufsize`, or `bufsize` without `maxrate`, with an encoder that needs both. */
function lackingLimit(encoder: string, highest: Rate | undefined, buffer: Rate | undefined): FieldError | undefined {
  const [only, missing] = highest === undefined ? [buffer, 'maxrate'] : [highest, 'bufsize'];
  const isComplete = (highest === undefined) === (buffer === undefined);
  if (isComplete || only === undefined || (only === highest && WITH_OWN_BUFFER.has(encoder))) return undefined;
  return {
    field: only.option.field,
    code: 'BAD_VALUE',
    message: `${encoder} takes "maxrate" and "bufsize" only together, but the request has no "${missing}".`,
  };
}

const PARAMS: ReadonlySet<string> = new Set(['x264-params', 'x264opts', 'x265-params', 'x265opts']);

/** Checks the bit rates (kbit/s) in the parameters of libx264 and libx265: `bitrate=2000:vbv-maxrate=500:vbv-bufsize=1000`. */
function libraryLimits(options: readonly ArgvOption[], encoders: StreamEncoders): Warning | undefined {
  const params = options.find(({ name }) => PARAMS.has(name.name));
  if (params === undefined) return undefined;
  const [encoder, ...others] = videoEncoders(encoders, undefined);
  const text = params.values[0] ?? '';
  const kilobits = (key: string): number | undefined => {
    const digits = new RegExp(`(?:^|:)${key}=(\\d{1,7})(?=:|$)`).exec(text)?.[1];
    return digits === undefined ? undefined : Number(digits);
  };
  const highest = kilobits('vbv-maxrate');
  const sent = lastValue('b:v', options);
  const average = kilobits('bitrate') ?? (sent === undefined ? undefined : (readPlainNumber(sent) ?? 0) / 1000);
  const hasQuality = /(?:^|:)(?:crf|qp)=/.test(text) || options.some(({ name }) => /^(?:crf|qp)$/.test(name.name));
  if (encoder === undefined || others.length > 0 || hasQuality) return undefined;
  if (highest === undefined || average === undefined || kilobits('vbv-bufsize') === undefined || highest >= average)
    return undefined;
  return {
    field: params.field,
    code: 'UNUSUAL_VALUE',
    message: `"vbv-maxrate" (${highest}) is below the average bit rate (${average} kilobits per second): ${encoder} writes ${highest}.`,
  };
}

/** The encoders of the video streams that `specifier` can match. */
const videoEncoders = (encoders: StreamEncoders, specifier: string | undefined): readonly string[] =>
  encoders.of(specifier ?? 'v').flatMap(({ kind, encoder }) => (kind === 'video' ? (encoder ?? []) : []));

/** The bit rates of the video stream. undefined: it is unclear which belong together. */
function videoRates(options: readonly ArgvOption[], encoders: StreamEncoders): Rates | undefined {
  if (!options.some(({ name }) => IN_BITS.has(name.name))) return undefined;
  const rateOf = (wanted: string): Rate | 'several' | undefined => {
    const [option, ...others] = options.filter(
      ({ name }) => name.name === wanted && /^(?:$|[vV])/.test(name.specifier ?? ''),
    );
    const text = option?.values[0];
    const bits = text === undefined ? undefined : readPlainNumber(text);
    if (others.length > 0) return 'several';
    // 0 means "no limit".
    return option === undefined || text === undefined || bits === undefined || bits <= 0
      ? undefined
      : { option, text, bits };
  };
  const [average, highest, lowest, buffer] = ['b', 'maxrate', 'minrate', 'bufsize'].map(rateOf);
  // Do not check streams with different rates, as in a ladder of renditions.
  if (average === 'several' || highest === 'several' || lowest === 'several' || buffer === 'several') return undefined;
  const specifier = (highest ?? buffer ?? lowest)?.option.name.specifier;
  const [encoder, ...others] = videoEncoders(encoders, specifier);
  if (encoder === undefined || others.length > 0) return undefined;
  return { encoder, average, highest, lowest, buffer };
}
