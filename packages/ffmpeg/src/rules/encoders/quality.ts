import { addOption, leaveOut, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { MPEG_QUANTIZER, quantizerOfPercent, scaleText, usualQuality } from '../../allowlist/usual-quality.ts';
import { wordSet } from '../../allowlist/words.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import { noEffect, type Rules, unusualValue } from '../contexts.ts';
import { ignoresQ, qualityInsteadOfQ } from './instead-of-q.ts';

/** From this number on, the client means a bit rate by `q:a`, such as 192 or `192k`. Qualities of audio encoders are smaller. */
const MIN_BIT_RATE = 32;

function bitRate(option: ArgvOption, encoders: readonly string[]): Warning | undefined {
  const [value = ''] = option.values;
  const isRate = /^\d+k?$/.test(value) && Number.parseInt(value, 10) >= MIN_BIT_RATE;
  if (!isRate || encoders.length === 0 || option.name.specifier?.startsWith('a') !== true) return undefined;
  return unusualValue(
    `"${sentName(option)}" is a quality, such as 2, and ${value} is far beyond its range. A bit rate is "b:a".`,
    sendOption('b:a', value.endsWith('k') ? value : `${value}k`),
    { field: option.field },
  );
}

/** Encoders whose `q:v` is a quantizer from 1 (best) to 31 (worst). */
const QUANTIZERS =
  /^(?:mjpeg|mpeg[124]|mpeg[12]video|libxvid|flv|h26[13]p?|msmpeg4(?:v2)?|wmv[12]|rv[12]0|speedhq|amv)$/;

/** Warns about a `q` beyond the worst end of its scale. 32 to 100 for a quantizer is probably a percentage, with 100 as the best. */
function beyondScale(option: ArgvOption, encoders: readonly string[]): Warning | undefined {
  const [value = ''] = option.values;
  const number = /^\d{1,6}(?:\.\d+)?$/.test(value) ? Number(value) : 0;
  const [encoder] = encoders;
  if (encoder === undefined) return undefined;
  const isQuantizer = encoders.every((one) => QUANTIZERS.test(one));
  const scale = isQuantizer ? MPEG_QUANTIZER : encoders.length === 1 ? usualQuality(encoder, 'q') : undefined;
  if (scale === undefined || number <= scale.max) return undefined;
  const meant = isQuantizer && number <= 100 ? quantizerOfPercent(number) : scale.send;
  return unusualValue(
    `"${sentName(option)}" of ${encoder} is not a percentage: ${scaleText(scale)}. ${value} gives the worst quality.`,
    sendOption(sentName(option), String(meant)),
    { field: option.field },
  );
}

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

/** At this `crf`, the video looks like the original. */
const VISUALLY_LOSSLESS = '17';

/** Formats for players. Most players show H.264 only up to the profile High. */
const FOR_PLAYERS = wordSet('mp4 mov ipod 3gp 3g2 f4v flv hls dash mpegts');

/** Values of `tune` that name a kind of content. x264 uses only one of them, and can combine it with others such as `zerolatency`. */
const CONTENTS: ReadonlySet<string> = new Set(['film', 'animation', 'grain', 'stillimage', 'psnr', 'ssim']);

export const QUALITY_RULES: Rules = {
  'unsuitable-quality': {
    finds: '`q` for an encoder that ignores it, or with a value that is not on the scale of the encoder',
    about: ['q'],
    option: (context) => (option) => {
      const { specifier } = option.name;
      const key = sentName(option);
      const found = context.encoders.of(specifier).flatMap(({ encoder }) => encoder ?? []);
      const [first] = found;
      const mistaken = bitRate(option, found) ?? beyondScale(option, found);
      if (mistaken !== undefined) return [mistaken];
      if (first === undefined || !found.every(ignoresQ)) return [];
      const instead = found.length > 1 ? undefined : qualityInsteadOfQ(first, option.values[0] ?? '');
      const other = instead?.option;
      // If the request already has a bit rate or another quality, a quality in the fix would conflict with it.
      const keys = new Set([other, 'b', specifier === undefined ? other : `b:${specifier}`]);
      const setting = other && context.options.find(({ key, values }) => keys.has(key) && values[0] !== '0');
      const isRejected = found.every((one) => one === 'libopus');
      return noEffect(
        isRejected
          ? `libopus has no quality like "${key}", only a bit rate, and a job with "${key}" would fail.`
          : `"${key}" has no effect: ${[...new Set(found)].join(' and ')} ignore${found.length === 1 ? 's' : ''} it.`,
        setting ? leaveOut(undefined, `"${sentName(setting)}" sets the quality`) : (instead?.fix ?? leaveOut()),
        isRejected && !/\d/.test(specifier ?? '') ? { failsWith: 'audio' } : {},
      );
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

  /** For VP8, libvpxenc.c logs "using default of 256kbit/sec". For VP9, `crf` without `b:v` sets the quality. */
  'vp8-crf-without-bitrate': {
    finds: '`crf` for VP8 without `b:v`, so that libvpx writes at most 256 kb/s',
    about: ['crf'],
    option({ options, encoders }) {
      const isRateSet = options.some(({ name }) => name.name === 'b' && /^(?:$|v)/i.test(name.specifier ?? ''));
      return (option) => {
        const found = encoders.of(option.name.specifier ?? 'v');
        if (isRateSet || found.length === 0 || !found.every(({ encoder }) => encoder === 'libvpx')) return [];
        return unusualValue(
          `For VP8, "b:v" is the upper limit of "${sentName(option)}", and without it libvpx writes at most 256 kb/s.`,
          addOption('b:v', '8M'),
        );
      };
    },
  },

  /** Clients send `crf` 0 for the best quality. A client that wants lossless video usually sends `qp` 0. */
  'lossless-crf': {
    finds: '`crf` 0 of libx264 in a container for players, few of which show lossless video',
    about: ['crf'],
    option({ options, encoders, muxer }) {
      const isMeant = options.some(({ name, values: [value = ''] }) =>
        // With 10 bits, `crf` 0 is not lossless, and a profile 4:4:4 is clearly intended.
        name.name === 'profile' ? /444/.test(value) : name.name === 'pix_fmt' && /1[0-6](?:le|be)$/.test(value),
      );
      if (isMeant || !FOR_PLAYERS.has(muxer)) return () => [];
      return (option) => {
        const { name, values } = option;
        if (Number(values[0]) !== 0) return [];
        if (!encoders.of(name.specifier ?? 'v').some(({ encoder }) => encoder === 'libx264')) return [];
        return unusualValue(
          `"${sentName(option)}": 0 of libx264 is lossless: few players show its profile, High 4:4:4 Predictive.`,
          sendOption(sentName(option), VISUALLY_LOSSLESS),
        );
      };
    },
  },

  'several-tunes': {
    finds: 'several kinds of content in `tune`, of which libx264 uses only the first',
    about: ['tune'],
    option: (context) => (option) => {
      if (!context.encoders.of('v').some(({ encoder }) => encoder === 'libx264')) return [];
      const words = (option.values[0] ?? '').split(/[,./+-]/);
      const contents = words.filter((word) => CONTENTS.has(word));
      const [first, ...others] = contents;
      if (first === undefined || others.length === 0) return [];
      const meant = words.filter((word) => word === first || !CONTENTS.has(word)).join(',');
      return noEffect(
        `"${sentName(option)}" names ${contents.join(' and ')}, and libx264 uses only the first, ${first}.`,
        sendOption(sentName(option), meant),
      );
    },
  },
};
