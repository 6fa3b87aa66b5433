import { addOption, leaveOut, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { MPEG_QUANTIZER, scaleText, usualQuality } from '../../allowlist/usual-quality.ts';
import { wordPairs } from '../../allowlist/words.ts';
import { areAllCopied } from '../../plan/encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import { readPlainNumber } from '../../values/number.ts';
import { noEffect, type RequestContext, type Rules, unusualValue } from '../rule.ts';

/** Encoders that ignore `b`: the output has the same size with any value (tested with ffmpeg 5.1). */
const WITHOUT_BIT_RATE =
  /^(?:prores(?:_aw|_ks)?|ffv1|huffyuv|ffvhuff|utvideo|rawvideo|v210|qtrle|png|apng|gif|bmp|tiff|jpeg2000|dvvideo|flac|alac|wavpack|tta|truehd|mlp|pcm_\w+|adpcm_\w+)$/;

/** Encoders that ignore `q`, and the option that sets their quality (tested with ffmpeg 5.1). */
const INSTEAD_OF_Q = wordPairs(
  'libx264 crf libx264rgb crf libx265 crf libsvtav1 crf libvpx crf libvpx-vp9 crf libaom-av1 crf librav1e qp ' +
    'libopus b:a ac3 b:a eac3 b:a mp2 b:a wmav2 b:a prores profile:v prores_aw profile:v',
);

/** Encoders whose `q:v` is a quantizer from 1 (best) to 31 (worst). */
const QUANTIZERS =
  /^(?:mjpeg|mpeg[124]|mpeg[12]video|libxvid|flv|h26[13]p?|msmpeg4(?:v2)?|wmv[12]|rv[12]0|speedhq|amv)$/;

/** Options that set a quality, and the encoders that then ignore the bit rate (ffmpeg 5.1). VP9 and AV1 encoders use both. */
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

/** Encoders for which `maxrate` and `bufsize` have an effect only together. */
const NEED_BOTH: ReadonlySet<string> = new Set(['libx264', 'libx264rgb', 'libx265']);

/** Matches `x264-params` such as `vbv-maxrate`, which set the same limits as `maxrate` and `bufsize`. */
const LIBRARY_LIMITS = /(?:^|:)vbv-/;

const IN_BITS = ['b', 'maxrate', 'minrate', 'bufsize'];
const IN_BYTES = ['fs', 'hls_segment_size', 'frag_size', 'probesize'];
/** Matches a number that ends in `B`: `1MB`, `512KiB`, `700B`. */
const SIZE = /^\s*(\d+(?:\.\d+)?)([kKMG]i?)?B$/;

/** Options that only encoders use, with the kind of stream that each is for. */
const OF_ENCODERS = wordPairs('r v s v pix_fmt v ar a ac a sample_fmt a ch_layout a');

const named = (options: readonly ArgvOption[], ...names: readonly string[]): readonly ArgvOption[] =>
  options.filter(({ name }) => names.includes(name.name));

const isOfVideo = ({ name }: ArgvOption): boolean => /^(?:$|[vV])/.test(name.specifier ?? '');

/** The encoders of the streams that an option is for. */
const encodersFor = ({ encoders }: RequestContext, { name }: ArgvOption): readonly string[] =>
  encoders.of(name.specifier).flatMap(({ encoder }) => encoder ?? []);

export const ENCODER_RULES: Rules = {
  'missing-two-pass-mode': {
    finds: 'two passes for an encoder that has no two-pass mode',
    plan: ({ onePassOnly }) =>
      onePassOnly
        ? [
            noEffect(
              'This encoder has no two-pass mode, so the service runs one pass. "b:v" applies to it too.',
              leaveOut('pass'),
              { field: '/parameters/pass' },
            ),
          ]
        : [],
  },

  'crf-bitrate-conflicts': {
    finds: 'a quality and a bit rate for an encoder that uses only one of them',
    about: ['crf', 'qp', 'q'],
    plan: ({ options, encoders, twoPass }) =>
      CONFLICTS.flatMap(({ kind, quality: names, encoders: ignoring, limits = '' }) => {
        const sent = options.filter(({ name }) => (name.specifier ?? kind).toLowerCase().startsWith(kind));
        const quality = sent.find(({ name }) => names.test(name.name));
        const rate = sent.find(({ name }) => name.name === 'b');
        const encoder = quality && encoders.of(kind).find((stream) => ignoring.test(stream.encoder ?? ''))?.encoder;
        if (encoder === undefined || quality === undefined || rate === undefined) return [];
        // `crf:v:0` and `b:v:1` apply to different streams.
        const numbers = [quality, rate].flatMap(({ name }) => /\d+/.exec(name.specifier ?? '') ?? []);
        if (numbers.length === 2 && numbers[0] !== numbers[1]) return [];
        const [ofQuality, ofRate] = [sentName(quality), sentName(rate)];
        const message = `"${ofQuality}" and "${ofRate}" both control the quality; ${encoder} uses "${ofQuality}".`;
        // Two passes exist to reach a bit rate, so here the quality is the mistake.
        if (twoPass && kind === 'v')
          return noEffect(`${message} Two passes are for "${ofRate}".`, leaveOut(), {
            field: quality.field,
            causes: [rate.field],
          });
        const fix = orElse(
          leaveOut(undefined, `"${ofQuality}" sets a constant quality${limits}`),
          leaveOut(ofQuality, `the bit rate is then ${rate.values.at(-1)}`),
        );
        return noEffect(message, fix, { field: rate.field, causes: [quality.field] });
      }),
  },

  'ignored-bitrate-limits': {
    finds: '`maxrate` without `bufsize`, or the reverse, for an encoder that needs both',
    about: ['maxrate', 'bufsize'],
    plan({ options, encoders }) {
      const encoder = encoders.of('v').find((stream) => NEED_BOTH.has(stream.encoder ?? ''))?.encoder;
      const isLimited = options.some(
        ({ name, values }) => /params|opts$/.test(name.name) && LIBRARY_LIMITS.test(values[0] ?? ''),
      );
      const sent = named(options, 'maxrate', 'bufsize').filter(isOfVideo);
      const [only, ...others] = sent;
      if (encoder === undefined || isLimited || only === undefined) return [];
      if (others.some(({ name }) => name.name !== only.name.name)) return [];
      const missing = only.name.name === 'maxrate' ? 'bufsize' : 'maxrate';
      return noEffect(
        `"${only.key}" has no effect: ${encoder} limits the bit rate only with "maxrate" and "bufsize" together.`,
        `Send "${missing}" as well. A usual "bufsize" is two seconds at the "maxrate".`,
        { field: only.field },
      );
    },
  },

  'unsuitable-quality': {
    finds: '`q` for an encoder that ignores it, or with a value that is not on the scale of the encoder',
    about: ['q'],
    plan: (context) =>
      named(context.options, 'q').flatMap((option) => {
        const key = sentName(option);
        const [value = ''] = option.values;
        const found = encodersFor(context, option);
        const [first] = found;
        if (first === undefined) return [];
        const instead = INSTEAD_OF_Q.get(first);
        if (found.every((one) => INSTEAD_OF_Q.has(one) || WITHOUT_BIT_RATE.test(one)))
          return noEffect(
            `"${key}" has no effect: ${found.join(' and ')} ignore${found.length === 1 ? 's' : ''} it.`,
            instead === undefined ? leaveOut() : { ...leaveOut(), note: `"${instead}" sets the quality of ${first}.` },
            { field: option.field },
          );
        const isQuantizer = found.every((one) => QUANTIZERS.test(one));
        const scale = isQuantizer ? MPEG_QUANTIZER : found.length === 1 ? usualQuality(first, 'q') : undefined;
        if (scale === undefined || !((readPlainNumber(value) ?? 0) > scale.max)) return [];
        return unusualValue(
          `"${key}" of ${first} is a quality: ${scaleText(scale)}. ${value} is beyond it.`,
          sendOption(key, scale.send),
          { field: option.field },
        );
      }),
  },

  /** For VP8, libvpxenc.c logs "using default of 256kbit/sec". For VP9, `crf` without `b:v` sets the quality. */
  'vp8-crf-without-bitrate': {
    finds: '`crf` for VP8 without `b:v`, so that libvpx writes at most 256 kb/s',
    about: ['crf'],
    plan: (context) =>
      named(context.options, 'crf').flatMap((option) => {
        const isRateSet = named(context.options, 'b').some(isOfVideo);
        const found = context.encoders.of(option.name.specifier ?? 'v');
        if (isRateSet || found.length === 0 || found.some(({ encoder }) => encoder !== 'libvpx')) return [];
        return unusualValue(
          `For VP8, "b:v" is the upper limit of "${sentName(option)}", and without it libvpx writes at most 256 kb/s.`,
          addOption('b:v', '8M'),
          { field: option.field },
        );
      }),
  },

  /** ffmpeg (av_strtod in libavutil/eval.c) reads the `B` in `"fs": "1MB"` as a factor of 8, also for options in bytes. */
  'byte-suffixes': {
    finds: 'a size or a bit rate that ends in `B`, which ffmpeg reads as a factor of 8',
    about: [...IN_BITS, ...IN_BYTES],
    plan: ({ sharedOptions }) =>
      named(sharedOptions, ...IN_BITS, ...IN_BYTES).flatMap((option) => {
        const [value = ''] = option.values;
        const [, digits, unit = ''] = SIZE.exec(value) ?? [];
        const number = readPlainNumber(value);
        if (digits === undefined || !(Number(number) > 0)) return [];
        const [key, isBits] = [sentName(option), IN_BITS.includes(option.name.name)];
        return unusualValue(
          `"${key}" is in ${isBits ? 'bits' : 'bytes'}, and ffmpeg reads the "B" of "${value}" as a factor of 8: ${number}.`,
          sendOption(key, `${digits}${unit}`),
          { field: option.field },
        );
      }),
  },

  'stream-copy-conflicts': {
    finds: 'an option of encoders (`r`, `s`, `ar`) for a stream that is copied',
    about: [...OF_ENCODERS.keys()],
    plan: ({ options, encoders }) =>
      named(options, ...OF_ENCODERS.keys()).flatMap(({ key, name, field }) => {
        const letter = OF_ENCODERS.get(name.name) ?? '';
        if (!areAllCopied(encoders, name.specifier ?? letter)) return [];
        return noEffect(
          `"${key}" has no effect on the ${letter === 'v' ? 'video' : 'audio'}: it is copied, not encoded.`,
          orElse(leaveOut(key), `send an encoder ("c:${letter}")`),
          { field },
        );
      }),
  },
};
