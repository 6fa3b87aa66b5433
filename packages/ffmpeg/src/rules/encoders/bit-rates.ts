import { addOption, leaveOut, orElse } from '@telecine/contract/domain/edit.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import { noEffect, type Rules } from '../contexts.ts';

/** Encoders that ignore `b`: the output has the same size with any value (tested with ffmpeg 5.1). */
const WITHOUT_BIT_RATE =
  /^(?:prores(?:_aw|_ks)?|ffv1|huffyuv|ffvhuff|utvideo|rawvideo|v210|qtrle|png|apng|gif|bmp|tiff|jpeg2000|dvvideo|flac|alac|wavpack|tta|truehd|mlp|pcm_\w+|adpcm_\w+)$/;

const INSTEAD: Readonly<Record<string, string>> = {
  prores_ks: '"profile:v" sets the quality: proxy, lt, standard, hq.',
  prores: '"profile:v" sets the quality: 0 to 3.',
  prores_aw: '"profile:v" sets the quality: 0 to 3.',
  dnxhd: 'The profile sets the quality: dnxhr_lb, dnxhr_sq, dnxhr_hq, dnxhr_hqx.',
};

/** True for a `profile` such as `dnxhr_hq`, which sets the bit rate of dnxhd. */
const isOwnRate = ({ name, values: [value = ''] }: ArgvOption): boolean =>
  name.name === 'profile' && /^(?:$|v)/.test(name.specifier ?? '') && /^(?:dnxhr_\w+|[1-5])$/.test(value);

/** True for `vbr` 1 to 5 of libfdk_aac, a quality instead of a bit rate (libfdk-aacenc.c, `AACENC_BITRATEMODE`). 0 is no quality. */
const isStep = ({ name, values: [value = ''] }: ArgvOption): boolean => name.name === 'vbr' && /^[1-5]$/.test(value);

/** Encoders for which `maxrate` and `bufsize` have an effect only together. */
const NEED_BOTH: ReadonlySet<string> = new Set(['libx264', 'libx264rgb', 'libx265']);

/** Matches `x264-params` such as `vbv-maxrate`, which set the same limits as `maxrate` and `bufsize`. */
const LIBRARY_LIMITS = /(?:^|:)vbv-/;

const times = (value: string, factor: number): string =>
  value.replace(/^(\d+(?:\.\d+)?)([kKM]?)$/, (_all, digits, unit) => `${Number(digits) * factor}${unit}`);

export const BIT_RATE_RULES: Rules = {
  'missing-two-pass-mode': {
    finds: 'two passes for an encoder that has no two-pass mode',
    plan: ({ onePassOnly }) =>
      onePassOnly
        ? noEffect(
            'This encoder has no two-pass mode, so the service runs one pass. "b:v" applies to it too.',
            leaveOut('pass'),
            { field: '/parameters/pass' },
          )
        : [],
  },

  'ignored-bitrates': {
    finds: 'a bit rate for an encoder that ignores it',
    about: ['b'],
    option: (context) => (option) => {
      const { options, encoders } = context;
      const found = [...new Set(encoders.of(option.name.specifier).flatMap(({ encoder }) => encoder ?? []))];
      const [first] = found;
      const name = sentName(option);
      if (first === 'libfdk_aac' && found.length === 1 && options.some(isStep))
        return noEffect(
          `"${name}" has no effect: "vbr" of libfdk_aac is a quality, which replaces the bit rate.`,
          orElse(leaveOut(), leaveOut('vbr')),
        );
      const hasOwnRate = (encoder: string): boolean => encoder === 'dnxhd' && options.some(isOwnRate);
      if (first === undefined || !found.every((one) => WITHOUT_BIT_RATE.test(one) || hasOwnRate(one))) return [];
      const which = hasOwnRate(first) ? `${first} with this profile` : found.join(' and ');
      const ignores = !hasOwnRate(first) && found.length > 1 ? 'ignore' : 'ignores';
      return noEffect(`"${name}" has no effect: ${which} ${ignores} a bit rate.`, {
        ...leaveOut(),
        ...(INSTEAD[first] && { note: INSTEAD[first] }),
      });
    },
  },

  'ignored-bitrate-limits': {
    finds: '`maxrate` without `bufsize`, or the reverse, for an encoder that needs both',
    about: ['maxrate', 'bufsize'],
    plan({ options, encoders }) {
      const encoder = encoders.of('v').find((stream) => NEED_BOTH.has(stream.encoder ?? ''))?.encoder;
      const isLimited = options.some(
        ({ name, values }) => /params|opts$/.test(name.name) && LIBRARY_LIMITS.test(values[0] ?? ''),
      );
      const ofVideo = options.filter(({ name }) => /^(?:$|[vV])/.test(name.specifier ?? ''));
      const [maxrate, bufsize] = ['maxrate', 'bufsize'].map((one) => ofVideo.find(({ name }) => name.name === one));
      const only = maxrate ?? bufsize;
      if (encoder === undefined || only === undefined || (maxrate !== undefined && bufsize !== undefined) || isLimited)
        return [];
      const missing = only === maxrate ? 'bufsize' : 'maxrate';
      const specifier = only.name.specifier === undefined ? '' : `:${only.name.specifier}`;
      // A `maxrate` below `b:v` would lower the quality that the client asked for.
      const average = ofVideo.findLast(({ name }) => name.name === 'b')?.values[0];
      const [sent = ''] = only.values;
      // A usual buffer holds two seconds at the maximum rate.
      const value = missing === 'bufsize' ? times(sent, 2) : (average ?? times(sent, 0.5));
      const fix = addOption(`${missing}${specifier}`, value);
      return noEffect(
        `"${only.key}" has no effect: ${encoder} limits the bit rate only with "maxrate" and "bufsize" together.`,
        missing === 'maxrate' ? orElse(fix, leaveOut(only.key)) : fix,
        { field: only.field },
      );
    },
  },
};
