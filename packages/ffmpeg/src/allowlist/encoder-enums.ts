/** The values that an encoder library accepts for an option. ffmpeg passes such a value on without a full check. */
export type LibraryRule =
  | {
      readonly takes: 'words';
      readonly words: readonly string[];
      /** Matches further accepted values, such as the level `41` besides `4.1`. */
      readonly also?: RegExp;
      /** Words that ffmpeg accepts, but whose output cannot be played. `why`: the end of a message. */
      readonly broken?: readonly { readonly words: RegExp; readonly why: string }[];
      /** Matches the separator between words. Absent if the option accepts only one word. */
      readonly joined?: RegExp;
    }
  | {
      readonly takes: 'range';
      readonly min: number;
      readonly max: number;
      /** The documented range, which messages show. It may be narrower than `min` to `max`. */
      readonly usual: string;
    };

type WordsRule = Extract<LibraryRule, { takes: 'words' }>;
export type RangeRule = Extract<LibraryRule, { takes: 'range' }>;

const words = (text: string, more: Omit<WordsRule, 'takes' | 'words'> = {}): LibraryRule => ({
  takes: 'words',
  words: text.split(' '),
  ...more,
});

const range = (min: number, max: number, usual = `${min} to ${max}`): RangeRule => ({
  takes: 'range',
  min,
  max,
  usual,
});

const SPEEDS = 'ultrafast superfast veryfast faster fast medium slow slower veryslow placebo';

/** A preset written as a number. */
const SPEED_NUMBER = /^\d$/;

/** A number or `unknown`. The options `profile` and `level` of every encoder accept `unknown`, although no help lists it. */
const NUMBER = /^(?:unknown|-?\d+)$/;

/** The levels of H.264 that x264 knows, and other forms of them: `41` and `4.0`. */
export const X264_LEVELS = '1 1b 1.1 1.2 1.3 2 2.1 2.2 3 3.1 3.2 4 4.1 4.2 5 5.1 5.2 6 6.1 6.2';
export const X264_LEVEL_FORMS = /^(?:9|[1-6]\.0|1[0-3]|[2-6][0-2])$/;

const X264: Readonly<Record<string, LibraryRule>> = {
  // x264 ignores the case of these words.
  preset: words(SPEEDS, { also: new RegExp(`^(?:\\d|${SPEEDS.replaceAll(' ', '|')})$`, 'i') }),
  tune: words('film animation grain stillimage psnr ssim fastdecode zerolatency', { joined: /[,./+-]/ }),
  profile: words('baseline main high high10 high422 high444', { also: /^(?:baseline|main|high(?:10|422|444)?)$/i }),
  level: words(X264_LEVELS, { also: X264_LEVEL_FORMS }),
  // Values below 0 need a bit depth above 8. -1 also means that the option is not set.
  crf: range(-12, 51, '0 to 51'),
  crf_max: range(-12, 51, '0 to 51'),
  qp: range(-1, 81, '0 to 69'),
  'aq-mode': range(-1, 3, '0 to 3'),
};

/**
 * -1 means that the option is not set. Without these rules, libvpx fails, or prints an error and ignores the value: ffmpeg itself has no
 * limit, or the wrong one.
 */
const VPX: Readonly<Record<string, LibraryRule>> = {
  qmin: range(-1, 63, '0 to 63'),
  qmax: range(-1, 63, '0 to 63'),
  'undershoot-pct': range(-1, 100, '0 to 100'),
  'overshoot-pct': range(-1, 100, '0 to 100'),
  'drop-threshold': range(0, 100),
  'arnr-maxframes': range(-1, 15, '0 to 15'),
  'arnr-strength': range(-1, 6, '0 to 6'),
};

/** ProRes profiles are numbers here, because ffmpeg 5.1 does not know their names. */
const PRORES = { profile: words('0 1 2 3 4 5', { also: NUMBER }) };
const AV1 = { profile: words('main high professional', { also: NUMBER }) };

/** The rules by encoder and option. Each was tried with the libraries of Debian 12. */
const RULES: Readonly<Record<string, Readonly<Record<string, LibraryRule>>>> = {
  libx264: X264,
  libx264rgb: X264,
  libx265: {
    preset: words(SPEEDS, { also: SPEED_NUMBER }),
    tune: words('psnr ssim grain fastdecode zerolatency animation fast-decode zero-latency'),
    profile: words(
      'main main10 mainstillpicture msp main-intra main10-intra main12 main12-intra main422-10 main422-10-intra ' +
        'main422-12 main422-12-intra main444-8 main444-intra main444-stillpicture main444-10 main444-10-intra ' +
        'main444-12 main444-12-intra main444-16-intra main444-16-stillpicture',
    ),
    crf: range(-1, 51, '0 to 51'),
    qp: range(-1, 51, '0 to 51'),
    // The number of frame threads. With 0, libx265 chooses the number.
    threads: range(0, 16),
  },
  aac: {
    profile: words('aac_main aac_low mpeg2_aac_low', {
      also: /^(?:-99|[01]|128)$/,
      broken: [
        {
          // ffmpeg 5.1 writes this profile into the file but encodes AAC-LC. No decoder can read the result.
          words: /^(?:mpeg2_)?aac_(?:he(?:_v2)?|e?ld)$|^(?:4|28|22|38|131)$/,
          why: 'only libfdk_aac writes HE-AAC, LD and ELD, and files of aac with these profiles cannot be decoded',
        },
        {
          words: /^aac_(?:ltp|ssr)$|^[23]$/,
          why: 'hardly any player decodes AAC with the profiles LTP and SSR',
        },
      ],
    }),
  },
  mpeg4: { profile: words('mpeg4_sp mpeg4_core mpeg4_main mpeg4_asp', { also: NUMBER }) },
  mpeg2video: {
    profile: words('422 high ss snr main simple', { also: NUMBER }),
    level: words('high high1440 main low', { also: NUMBER }),
  },
  dnxhd: { profile: words('dnxhd dnxhr_444 dnxhr_hqx dnxhr_hq dnxhr_sq dnxhr_lb', { also: NUMBER }) },
  prores: PRORES,
  prores_aw: PRORES,
  flac: { compression_level: range(-1, 12, '0 to 12') },
  'libaom-av1': { ...AV1, crf: range(-1, 63, '0 to 63') },
  libsvtav1: AV1,
  // Values of `crf` below that of `qmin` fail, which is 4 by default.
  libvpx: { ...VPX, crf: range(-1, 63, '0 to 63'), 'arnr-type': range(-1, 3, '1 to 3') },
  'libvpx-vp9': {
    ...VPX,
    profile: words('0 1 2 3', { also: /^unknown$/ }),
    crf: range(-1, 63, '0 to 63'),
    'lag-in-frames': range(-1, 25, '0 to 25'),
    level: words('1 1.1 2 2.1 3 3.1 4 4.1 5 5.1 5.2 6 6.1 6.2', { also: /^(?:-1|0|[1-6]\.0)$/ }),
  },
};

/** Maps instead of objects, because a request may name an option "constructor", which every object has. */
const TABLE = new Map(Object.entries(RULES).map(([encoder, rules]) => [encoder, new Map(Object.entries(rules))]));

/** The documented range of a rule as numbers. */
export function documentedRange(rule: RangeRule): {
  readonly min: number;
  readonly max: number;
} {
  const [min = rule.min, max = rule.max] = rule.usual.split(' to ').map(Number);
  return { min, max };
}

export const libraryRule = (encoder: string, option: string): LibraryRule | undefined =>
  TABLE.get(encoder)?.get(option);
