import type { UsualQuality } from '../usual-quality.ts';

/** The values of one parameter in the parameter string of an encoder library, such as `ref` in `x264-params`. */
export type ParamRule =
  | {
      readonly takes: 'number';
      readonly min?: number;
      readonly max?: number;
      readonly whole: boolean;
      readonly words: readonly string[];
      /** Present if the number is a quality, such as `crf`. */
      readonly scale?: UsualQuality;
    }
  | { readonly takes: 'switch'; readonly words: readonly string[] }
  /** `also`: matches further accepted values. */
  | { readonly takes: 'word'; readonly words: readonly string[]; readonly also?: RegExp }
  | { readonly takes: 'shape'; readonly pattern: RegExp; readonly shape: string };

/** The parameters of one encoder library, reviewed one by one. All other parameters are rejected. */
export interface ParamTable {
  readonly params: ReadonlyMap<string, ParamRule>;
  /** Rejected parameters, each with its reason if it has a specific one. They use files, load code, or are options of the request. */
  readonly rejected: ReadonlyMap<string, string | undefined>;
  /** True if the library accepts `_` for `-` in a name, and `no-cabac` to turn `cabac` off. */
  readonly allowsNegation: boolean;
}

type Rows = [string, ParamRule][];

const rows = (names: string, rule: ParamRule): Rows => names.split(' ').map((name) => [name, rule]);

const listed = (words: string): readonly string[] => (words === '' ? [] : words.split(' '));

/** Parameters that accept a whole number or one of `words`. */
export const wholeParams = (names: string, min?: number, max?: number, words = ''): Rows =>
  rows(names, { takes: 'number', whole: true, ...bounds(min, max), words: listed(words) });

export const decimalParams = (names: string, min?: number, max?: number, words = ''): Rows =>
  rows(names, { takes: 'number', whole: false, ...bounds(min, max), words: listed(words) });

/** Parameters that accept a number on a quality scale. */
export const scaleParams = (names: string, min: number, max: number, scale: UsualQuality, whole = false): Rows =>
  rows(names, { takes: 'number', whole, min, max, words: [], scale });

/** Parameters that accept a boolean or one of `words`. */
export const switchParams = (names: string, words = ''): Rows => rows(names, { takes: 'switch', words: listed(words) });

export const wordParams = (names: string, words: string, also?: RegExp): Rows =>
  rows(names, { takes: 'word', words: listed(words), ...(also && { also }) });

export const patternParams = (names: string, pattern: RegExp, example: string): Rows =>
  rows(names, { takes: 'shape', pattern, shape: example });

/** Rejected parameters that share one reason. */
export const rejectedParams = (names: string, why?: string): [string, string | undefined][] =>
  names.split(' ').map((name) => [name, why]);

const bounds = (min: number | undefined, max: number | undefined): { min?: number; max?: number } => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

/** Numbers separated by `,` or `|`. */
export const NUMBERS = /^[-+]?[\d.]+(?:[,|][-+]?[\d.]+)*$/;

/**
 * The primaries, white point and luminance of a mastering display. The numbers are in the units of the encoder library: fractions for
 * SVT-AV1, integers for x264 and x265.
 */
export const MASTERING = /^(?:(?:[GBRL]|WP)\([\d.]+,[\d.]+\)){5}$/;

/** Content light levels: the maximum of one pixel, and the maximum average of one frame. */
export const LIGHT = /^\d{1,5},\d{1,5}$/;

/** Frame ranges, each with its own quantizer or bit rate factor: `0,100,q=20/101,200,b=0.5`. */
export const ZONES = /^\d+,\d+,[qb]=[\d.]+(?:\/\d+,\d+,[qb]=[\d.]+)*$/;

/** Frames per second. */
export const FPS = /^\d+(?:\.\d+|\/\d+)?$/;
