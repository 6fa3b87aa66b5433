import { addOption, leaveOut, orElse, sendOption } from '../../../domain/edit.ts';
import { fileSizeFix } from '../../../domain/synonyms/value-words.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import { readPlainNumber } from '../../values/number.ts';
import type { Rule } from '../contexts.ts';

/** Encoders whose output has the same size with every bit rate, as tried with ffmpeg 5.1. */
const WITHOUT_BIT_RATE =
  /^(?:prores(?:_aw|_ks)?|ffv1|huffyuv|ffvhuff|utvideo|rawvideo|v210|qtrle|png|apng|gif|bmp|tiff|jpeg2000|dvvideo|flac|alac|wavpack|tta|truehd|mlp|pcm_\w+|adpcm_\w+)$/;

/** What sets the quality instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  prores_ks: '"profile:v" sets the quality: proxy, lt, standard, hq.',
  prores: '"profile:v" sets the quality: 0 to 3.',
  prores_aw: '"profile:v" sets the quality: 0 to 3.',
  dnxhd: 'The profile sets the quality: dnxhr_lb, dnxhr_sq, dnxhr_hq, dnxhr_hqx.',
};

/** A profile of dnxhd, the one encoder whose bit rate a profile sets. */
const isOwnRate = ({ name, values: [value = ''] }: ArgvOption): boolean =>
  name.name === 'profile' && /^(?:$|v)/.test(name.specifier ?? '') && /^(?:dnxhr_\w+|[1-5])$/.test(value);

/** The five steps of libfdk_aac, which replace its bit rate (libfdk-aacenc.c, `AACENC_BITRATEMODE`). 0 is the bit rate. */
const isStep = ({ name, values: [value = ''] }: ArgvOption): boolean => name.name === 'vbr' && /^[1-5]$/.test(value);

const IGNORED_BITRATES: Rule = {
  id: 'ignored-bitrates',
  finds: 'a bit rate for an encoder that ignores it',
  about: ['b'],
  option:
    ({ options, encoders }) =>
    (option) => {
      const found = [...new Set(encoders.of(option.name.specifier).flatMap(({ encoder }) => encoder ?? []))];
      const [first] = found;
      const name = sentName(option);
      if (first === 'libfdk_aac' && found.length === 1 && options.some(isStep))
        return {
          code: 'NO_EFFECT',
          message: `"${name}" has no effect: "vbr" of libfdk_aac is a quality, which replaces the bit rate.`,
          fix: orElse(leaveOut(), leaveOut('vbr')),
        };
      const hasOwnRate = (encoder: string): boolean => encoder === 'dnxhd' && options.some(isOwnRate);
      if (first === undefined || !found.every((one) => WITHOUT_BIT_RATE.test(one) || hasOwnRate(one))) return [];
      const reason = hasOwnRate(first)
        ? `${first} with this profile ignores`
        : `${found.join(' and ')} ${found.length > 1 ? 'ignore' : 'ignores'}`;
      const note = INSTEAD[first];
      return {
        code: 'NO_EFFECT',
        message: `"${name}" has no effect: ${reason} a bit rate.`,
        fix: { ...leaveOut(), ...(note !== undefined && { note }) },
      };
    },
};

/** Encoders that limit the bit rate only if they get both the highest rate and the size of the buffer. */
const NEED_BOTH: ReadonlySet<string> = new Set(['libx264', 'libx264rgb', 'libx265']);

/** Parameter strings, which can set both in the names of the library. */
const LIBRARY_LIMITS = /(?:^|:)vbv-/;

const IGNORED_BITRATE_LIMITS: Rule = {
  id: 'ignored-bitrate-limits',
  finds: '`maxrate` without `bufsize`, or the reverse, for an encoder that needs both',
  about: ['maxrate', 'bufsize'],
  plan({ options, encoders }) {
    const encoder = encoders.of('v').find((stream) => NEED_BOTH.has(stream.encoder ?? ''))?.encoder;
    const isVideo = ({ name }: ArgvOption): boolean => /^(?:$|[vV])/.test(name.specifier ?? '');
    const [maxrate, bufsize] = ['maxrate', 'bufsize'].map((wanted) =>
      options.find((option) => option.name.name === wanted && isVideo(option)),
    );
    const only = maxrate ?? bufsize;
    if (encoder === undefined || only === undefined || (maxrate !== undefined && bufsize !== undefined)) return [];
    if (options.some(({ name, values }) => /params|opts$/.test(name.name) && LIBRARY_LIMITS.test(values[0] ?? '')))
      return [];
    const missing = only === maxrate ? 'bufsize' : 'maxrate';
    const specifier = only.name.specifier === undefined ? '' : `:${only.name.specifier}`;
    // A highest rate below the average one would lower the quality that was asked for.
    const average = options.findLast((option) => option.name.name === 'b' && isVideo(option))?.values[0];
    const [sent = ''] = only.values;
    // The usual buffer holds two seconds of the highest rate.
    const fix = addOption(
      `${missing}${specifier}`,
      missing === 'bufsize' ? times(sent, 2) : (average ?? times(sent, 0.5)),
    );
    return {
      field: only.field,
      code: 'NO_EFFECT',
      message: `"${only.key}" has no effect: ${encoder} limits the bit rate only with "maxrate" and "bufsize" together.`,
      fix: missing === 'maxrate' ? orElse(fix, leaveOut(only.key)) : fix,
    };
  },
};

const times = (value: string, factor: number): string =>
  value.replace(/^(\d+(?:\.\d+)?)([kKM]?)$/, (_all, digits, unit) => `${Number(digits) * factor}${unit}`);

/** Options in bits, or in bits per second. */
const IN_BITS: ReadonlySet<string> = new Set(['b', 'maxrate', 'minrate', 'bufsize']);
/** Options in bytes. */
const IN_BYTES: ReadonlySet<string> = new Set(['fs', 'hls_segment_size', 'frag_size', 'probesize']);

/** A number that ends in `B`: `1MB`, `512KiB`, `700B`. */
const SIZE = /^\s*(\d+(?:\.\d+)?)([kKMG]i?)?B$/;

/**
 * av_strtod reads the `B` of `"fs": "1MB"` as a factor of 8 (libavutil/eval.c), whatever the unit of the option. An option in bytes so gets
 * eight times its value, and one in bits gets bytes.
 */
const BYTE_SUFFIXES: Rule = {
  id: 'byte-suffixes',
  finds: 'a size or a bit rate that ends in `B`, which ffmpeg reads as a factor of 8',
  about: [...IN_BITS, ...IN_BYTES],
  plan: ({ sharedOptions }) =>
    sharedOptions.flatMap((option) => {
      const { name } = option.name;
      const isBits = IN_BITS.has(name);
      const [value = ''] = option.values;
      const [, digits, unit = ''] = SIZE.exec(value) ?? [];
      const number = readPlainNumber(value);
      if ((!isBits && !IN_BYTES.has(name)) || digits === undefined || !(Number(number) > 0)) return [];
      const key = sentName(option);
      const read = `${Number(digits) * 8}${unit}`;
      return {
        field: option.field,
        code: 'UNUSUAL_VALUE',
        message: isBits
          ? `"${key}" is in bits${name === 'bufsize' ? '' : ' per second'}, and ffmpeg reads the "B" of "${value}" as a factor of 8: "${read}". If bytes are meant, send "${read}".`
          : `"${key}" is in bytes already, and ffmpeg reads the "B" of "${value}" as a factor of 8: ${number} bytes.`,
        fix: name === 'fs' ? fileSizeFix(digits, unit) : sendOption(key, `${digits}${unit}`),
      };
    }),
};

/** People send longer times for one key frame, such as the start of a chapter. */
const MAX_INTERVAL = 15;

const SINGLE_KEY_FRAME: Rule = {
  id: 'single-key-frame',
  finds: '`force_key_frames` with one small number, which is a time and not an interval',
  about: ['force_key_frames'],
  option:
    ({ options }) =>
    (option) => {
      const [value = ''] = option.values;
      const seconds = /^\d{1,2}(?:\.\d+)?$/.test(value) ? Number(value) : 0;
      if (seconds <= 0 || seconds > MAX_INTERVAL) return [];
      // The first segment ends at this key frame.
      if (options.some(({ key, values }) => key === 'segment_times' && values[0] === value)) return [];
      return {
        code: 'UNUSUAL_VALUE',
        message: `"${sentName(option)}" is a list of times: ${value} forces one key frame, at ${value} s.`,
        fix: sendOption(sentName(option), `expr:gte(t,n_forced*${value})`),
      };
    },
};

const MISSING_TWO_PASS_MODE: Rule = {
  id: 'missing-two-pass-mode',
  finds: 'two passes for an encoder that has no two-pass mode',
  plan: ({ onePassOnly }) =>
    onePassOnly
      ? {
          field: '/parameters/pass',
          code: 'NO_EFFECT',
          message: 'This encoder has no two-pass mode, so the service runs one pass. "b:v" applies to it too.',
          fix: leaveOut('pass'),
        }
      : [],
};

export const BIT_RATE_RULES: readonly Rule[] = [
  MISSING_TWO_PASS_MODE,
  IGNORED_BITRATES,
  IGNORED_BITRATE_LIMITS,
  SINGLE_KEY_FRAME,
  BYTE_SUFFIXES,
];
