import { addOption, leaveOut, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import {
  ignoresQ,
  MPEG_QUANTIZER,
  qualityInsteadOfQ,
  qualityScale,
  quantizerOfPercent,
  scaleText,
} from '../../allowlist/quality-scales.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import type { Rules } from '../contexts.ts';

/** The quality of an audio encoder is always a smaller number. This number or a larger one is a bit rate: `192k` or 192. */
const MIN_BIT_RATE = 32;

function bitRate(option: ArgvOption, encoders: readonly string[]): Warning | undefined {
  const [value = ''] = option.values;
  const isRate = /^\d+k?$/.test(value) && Number.parseInt(value, 10) >= MIN_BIT_RATE;
  if (!isRate || encoders.length === 0 || option.name.specifier?.startsWith('a') !== true) return undefined;
  return {
    field: option.field,
    code: 'UNUSUAL_VALUE',
    message: `"${sentName(option)}" is a quality, such as 2, and ${value} is far beyond its range. A bit rate is "b:a".`,
    fix: sendOption('b:a', value.endsWith('k') ? value : `${value}k`),
  };
}

/** Encoders whose `q:v` is a quantizer from 1 (best) to 31 (worst). */
const QUANTIZERS =
  /^(?:mjpeg|mpeg[124]|mpeg[12]video|libxvid|flv|h26[13]p?|msmpeg4(?:v2)?|wmv[12]|rv[12]0|speedhq|amv)$/;

/** Warns about a number beyond the worst end of the scale. From 32 to 100, the number is probably a percentage, with 100 as the best. */
function beyondScale(option: ArgvOption, encoders: readonly string[]): Warning | undefined {
  const [value = ''] = option.values;
  const number = /^\d{1,6}(?:\.\d+)?$/.test(value) ? Number(value) : 0;
  const [encoder] = encoders;
  if (encoder === undefined) return undefined;
  const isQuantizer = encoders.every((one) => QUANTIZERS.test(one));
  const scale = isQuantizer ? MPEG_QUANTIZER : encoders.length === 1 ? qualityScale(encoder, 'q') : undefined;
  if (scale === undefined || number <= scale.max) return undefined;
  const meant = isQuantizer && number <= 100 ? quantizerOfPercent(number) : scale.send;
  return {
    field: option.field,
    code: 'UNUSUAL_VALUE',
    message: `"${sentName(option)}" of ${encoder} is not a percentage: ${scaleText(scale)}. ${value} gives the worst.`,
    fix: sendOption(sentName(option), String(meant)),
  };
}

/** Options that set a quality, and the encoders that then ignore the bit rate (ffmpeg 5.1). VP9 and AV1 encoders can use both options. */
const CONFLICTS: readonly {
  readonly kind: 'v' | 'a';
  readonly quality: RegExp;
  readonly encoders: RegExp;
  readonly limits?: string;
}[] = [
  {
    kind: 'v',
    quality: /^(?:crf|qp)$/,
    encoders: /^(?:libx264|libx265|libx264rgb)$/,
    limits: ' ("maxrate" and "bufsize" limit the bit rate then)',
  },
  { kind: 'v', quality: /^q$/, encoders: new RegExp(`${QUANTIZERS.source}|^libtheora$`) },
  { kind: 'a', quality: /^q$/, encoders: /^(?:aac|libmp3lame|libspeex|libtwolame|libvorbis)$/ },
];

/** The `crf` at which the video looks like the original. */
const VISUALLY_LOSSLESS = '17';

/** Formats for playback. Most players support only the profiles up to High. */
const FOR_PLAYERS: ReadonlySet<string> = new Set('mp4 mov ipod 3gp 3g2 f4v flv hls dash mpegts'.split(' '));

/**
 * Values of the x264 option `tune` that name a kind of content. x264 uses only one of them. Other values are about speed, and can be added.
 */
const CONTENTS: ReadonlySet<string> = new Set(['film', 'animation', 'grain', 'stillimage', 'psnr', 'ssim']);

export const QUALITY_RULES: Rules = {
  'unsuitable-quality': {
    finds: '`q` for an encoder that ignores it, or with a value that is not on the scale of the encoder',
    about: ['q'],
    option:
      ({ options, encoders }) =>
      (option) => {
        const { specifier } = option.name;
        const key = sentName(option);
        const found = encoders.of(specifier).flatMap(({ encoder }) => encoder ?? []);
        const [first] = found;
        const mistaken = bitRate(option, found) ?? beyondScale(option, found);
        if (mistaken !== undefined) return [mistaken];
        if (first === undefined || !found.every(ignoresQ)) return [];
        const instead = found.length > 1 ? undefined : qualityInsteadOfQ(first, option.values[0] ?? '');
        const other = instead?.option;
        // If the request sets both a quality and a bit rate, one of them would replace the other.
        const keys = new Set([other, 'b', specifier === undefined ? other : `b:${specifier}`]);
        const setting = other && options.find(({ key, values }) => keys.has(key) && values[0] !== '0');
        const isRejected = found.every((one) => one === 'libopus');
        return {
          code: 'NO_EFFECT',
          message: isRejected
            ? `libopus has no quality like "${key}", only a bit rate, and a job with "${key}" would fail.`
            : `"${key}" has no effect: ${[...new Set(found)].join(' and ')} ignore${found.length === 1 ? 's' : ''} it.`,
          fix: setting ? leaveOut(undefined, `"${sentName(setting)}" sets the quality`) : (instead?.fix ?? leaveOut()),
          ...(isRejected && !/\d/.test(specifier ?? '') && { failsWith: 'audio' as const }),
        };
      },
  },

  'crf-bitrate-conflicts': {
    finds: 'a quality and a bit rate for an encoder that uses only one of them',
    about: ['b'],
    plan: ({ options, encoders, twoPass }) =>
      CONFLICTS.flatMap(({ kind, quality: names, encoders: ignoring, limits = '' }): Warning | [] => {
        const sent = options.filter(({ name }) => (name.specifier ?? kind).toLowerCase().startsWith(kind));
        const quality = sent.find(({ name }) => names.test(name.name));
        const rate = sent.find(({ name }) => name.name === 'b');
        const encoder = quality && encoders.of(kind).find((stream) => ignoring.test(stream.encoder ?? ''))?.encoder;
        if (encoder === undefined || quality === undefined || rate === undefined) return [];
        // Options with different stream numbers apply to different encoders.
        const numbers = [quality, rate].flatMap(({ name }) => /\d+/.exec(name.specifier ?? '') ?? []);
        if (numbers.length === 2 && numbers[0] !== numbers[1]) return [];
        const [ofQuality, ofRate] = [sentName(quality), sentName(rate)];
        const message = `"${ofQuality}" and "${ofRate}" both control the quality; ${encoder} uses "${ofQuality}".`;
        // Two passes are useful only with a bit rate.
        if (twoPass && kind === 'v')
          return {
            field: quality.field,
            code: 'NO_EFFECT',
            message: `${message} Two passes are for "${ofRate}".`,
            fix: leaveOut(),
            causes: [rate.field],
          };
        return {
          field: rate.field,
          code: 'NO_EFFECT',
          message,
          fix: orElse(
            leaveOut(undefined, `"${ofQuality}" sets a constant quality${limits}`),
            leaveOut(ofQuality, `the bit rate is then ${rate.values.at(-1)}`),
          ),
          causes: [quality.field],
        };
      }),
  },

  /** Source: libavcodec/libvpxenc.c, "using default of 256kbit/sec". VP9 differs: it has a mode with only a quality. */
  'vp8-crf-without-bitrate': {
    finds: '`crf` for VP8 without `b:v`, so that libvpx writes at most 256 kb/s',
    about: ['crf'],
    option({ options, encoders }) {
      const isRateSet = options.some(({ name }) => name.name === 'b' && /^(?:$|v)/i.test(name.specifier ?? ''));
      return (option) => {
        const found = encoders.of(option.name.specifier ?? 'v');
        if (isRateSet || found.length === 0 || !found.every(({ encoder }) => encoder === 'libvpx')) return [];
        return {
          code: 'UNUSUAL_VALUE',
          message: `For VP8, "b:v" is the upper limit of "${sentName(option)}", and without it libvpx writes at most 256 kb/s.`,
          fix: addOption('b:v', '8M'),
        };
      };
    },
  },

  /** Clients send `crf` 0 for the best quality. Experts who want lossless video send `qp` 0. */
  'lossless-crf': {
    finds: '`crf` 0 of libx264 in a container for players, few of which show lossless video',
    about: ['crf'],
    option({ options, encoders, muxer }) {
      const isMeant = options.some(({ name, values: [value = ''] }) =>
        // With more than 8 bits, `crf` 0 is not lossless.
        name.name === 'profile' ? /444/.test(value) : name.name === 'pix_fmt' && /1[0-6](?:le|be)$/.test(value),
      );
      if (isMeant || !FOR_PLAYERS.has(muxer)) return () => [];
      return (option) => {
        const { name, values } = option;
        if (Number(values[0]) !== 0) return [];
        if (!encoders.of(name.specifier ?? 'v').some(({ encoder }) => encoder === 'libx264')) return [];
        return {
          code: 'UNUSUAL_VALUE',
          message: `"${sentName(option)}": 0 of libx264 is lossless: few players show its profile, High 4:4:4 Predictive.`,
          fix: sendOption(sentName(option), VISUALLY_LOSSLESS),
        };
      };
    },
  },

  'several-tunes': {
    finds: 'several kinds of content in `tune`, of which libx264 uses only the first',
    about: ['tune'],
    option:
      ({ encoders }) =>
      (option) => {
        if (!encoders.of('v').some(({ encoder }) => encoder === 'libx264')) return [];
        const words = (option.values[0] ?? '').split(/[,./+-]/);
        const contents = words.filter((word) => CONTENTS.has(word));
        const [first, ...others] = contents;
        if (first === undefined || others.length === 0) return [];
        const meant = words.filter((word) => word === first || !CONTENTS.has(word)).join(',');
        return {
          code: 'NO_EFFECT',
          message: `"${sentName(option)}" names ${contents.join(' and ')}, and libx264 uses only the first, ${first}.`,
          fix: sendOption(sentName(option), meant),
        };
      },
  },
};
