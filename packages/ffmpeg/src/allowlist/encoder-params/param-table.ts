import type { UsualQuality } from '../usual-quality.ts';

/** The values of a parameter that does not accept every `VALUE`: texts that match a pattern, or numbers in a range and `auto`. */
export type ParamRule =
  | { readonly pattern: RegExp; readonly shape: string }
  | { readonly min: number; readonly max: number; readonly scale?: UsualQuality };

/** The parameters of one encoder library, reviewed one by one. All other parameters are rejected. The library checks most values itself. */
export interface ParamTable {
  readonly names: ReadonlySet<string>;
  /** Parameters whose values could name a file or start threads, and qualities, which a library clamps to its scale. */
  readonly rules: ReadonlyMap<string, ParamRule>;
  /** Rejected parameters, each with its reason if it has a specific one. They use files, load code, or are options of the request. */
  readonly rejected: ReadonlyMap<string, string | undefined>;
  /** True if the library accepts `_` for `-` in a name, and `no-cabac` to turn `cabac` off. */
  readonly allowsNegation: boolean;
}

/** Matches numbers, words and lists of these. A slash is allowed only between digits, because it may belong to a path. */
export const VALUE = /^(?:[\w.,:;|+=-]|(?<=\d)\/(?=\d))+$/;

/** The primaries, white point and luminance of a mastering display. SVT-AV1 takes fractions, x264 and x265 whole numbers. */
export const MASTERING = /^(?:(?:[GBRL]|WP)\([\d.]+,[\d.]+\)){5}$/;

const rows = (names: string, rule: ParamRule): [string, ParamRule][] => names.split(' ').map((name) => [name, rule]);

export const values = (names: string, pattern: RegExp, shape: string) => rows(names, { pattern, shape });

export const ranges = (names: string, min: number, max: number, scale?: UsualQuality) =>
  rows(names, { min, max, ...(scale && { scale }) });

/** Rejected parameters that share one reason. */
export const rejectedParams = (names: string, why?: string): [string, string | undefined][] =>
  names.split(' ').map((name) => [name, why]);
