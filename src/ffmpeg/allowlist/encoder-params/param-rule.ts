/** What a key of an encoder's own parameter string (`x264-params`) takes. */
export type ParamRule =
  | {
      readonly takes: 'number';
      readonly min?: number;
      readonly max?: number;
      readonly whole: boolean;
      readonly words: readonly string[];
    }
  | { readonly takes: 'switch'; readonly words: readonly string[] }
  | { readonly takes: 'word'; readonly words: readonly string[] }
  | { readonly takes: 'shape'; readonly pattern: RegExp; readonly shape: string };

/** The keys of one encoder library, reviewed one by one. A key that is in no list is refused. */
export interface ParamTable {
  readonly params: ReadonlyMap<string, ParamRule>;
  /** Keys that read or write files or load code, with what to send instead where there is something. */
  readonly rejected: ReadonlyMap<string, string | undefined>;
  /** `_` in a key means `-`, and `no-` before a switch turns it round. */
  readonly allowsNegation: boolean;
}

type Rows = [string, ParamRule][];

const rows = (names: string, rule: ParamRule): Rows => names.split(' ').map((name) => [name, rule]);

const listed = (words: string): readonly string[] => (words === '' ? [] : words.split(' '));

/** Whole numbers; `words` are taken besides. */
export const wholeParams = (names: string, min?: number, max?: number, words = ''): Rows =>
  rows(names, { takes: 'number', whole: true, ...bounds(min, max), words: listed(words) });

export const decimalParams = (names: string, min?: number, max?: number, words = ''): Rows =>
  rows(names, { takes: 'number', whole: false, ...bounds(min, max), words: listed(words) });

/** On or off; `words` are taken besides. */
export const switchParams = (names: string, words = ''): Rows => rows(names, { takes: 'switch', words: listed(words) });

export const wordParams = (names: string, words: string): Rows => rows(names, { takes: 'word', words: listed(words) });

export const patternParams = (names: string, pattern: RegExp, example: string): Rows =>
  rows(names, { takes: 'shape', pattern, shape: example });

/** Names of keys with what to do instead. */
export const rejectedParams = (names: string, instead?: string): [string, string | undefined][] =>
  names.split(' ').map((name) => [name, instead]);

const bounds = (min: number | undefined, max: number | undefined): { min?: number; max?: number } => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

/** Numbers between commas, or what stands between numbers in these libraries. */
export const NUMBERS = /^[-+]?[\d.]+(?:[,|][-+]?[\d.]+)*$/;

/** Primaries, white point and luminance of a mastering display, in units of the library. */
export const MASTERING = /^(?:(?:[GBRL]|WP)\([\d.]+,[\d.]+\)){5}$/;

/** Content light levels. */
export const LIGHT = /^\d{1,5},\d{1,5}$/;

/** Stretches of frames with their own quantiser or rate: `0,100,q=20/101,200,b=0.5`. */
export const ZONES = /^\d+,\d+,[qb]=[\d.]+(?:\/\d+,\d+,[qb]=[\d.]+)*$/;

/** Pictures a second. */
export const FPS = /^\d+(?:\.\d+|\/\d+)?$/;
