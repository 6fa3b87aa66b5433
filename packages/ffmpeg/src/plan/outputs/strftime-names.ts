import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { HlsFlag } from '../../values/hls-values.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { type NamePattern, numberCounter, parseNamePattern } from './name-pattern.ts';

/** Matches the conversions of `strftime` in a name, with the flags and widths of C libraries. */
export const DATE_MARKS = /%%0?\d*[dst]|%[-_0^#+]?\d*[EO]?.|%$/gs;

/** For HLS, the flag of `hls_flags` that makes it expand `%%d`, `%%s` or `%%t` in a name with a date. */
export const SECOND_LEVEL_FLAGS: Readonly<Record<string, HlsFlag>> = {
  d: 'second_level_segment_index',
  s: 'second_level_segment_size',
  t: 'second_level_segment_duration',
};

/** What applies to a name in which the muxer expands dates. */
interface DateNameRules {
  /** True for HLS, where `%%03d` is a counter and `%v` the variant. */
  readonly hls: boolean;
  /** True if `hls_flags` has this flag. For HLS only. */
  hasFlag(flag: HlsFlag): boolean;
}

/** Checks a name in which ffmpeg expands the date: the result must be one file name that a playlist can have. */
export function checkDateName(name: string, { hls, hasFlag }: DateNameRules): ValueError | undefined {
  for (const [mark] of name.matchAll(DATE_MARKS)) {
    const letter = /^%%.*([dst])$/.exec(mark)?.[1];
    const flag = hls && letter !== undefined ? SECOND_LEVEL_FLAGS[letter] : undefined;
    if (flag !== undefined ? hasFlag(flag) : STRFTIME_LETTERS.has(mark.slice(1)) || (hls && mark === '%v')) continue;
    return {
      code: 'BAD_FILE_NAME',
      message: `${quoted(mark)} ${flag === undefined ? '' : `needs "${flag}" in "hls_flags". Without it, it `}is not allowed in a file name with "strftime". Allowed are the conversions that give only letters, digits and dashes.`,
      allowed: [...STRFTIME_LETTERS].map(([allowed, meaning]) => `%${allowed} (${meaning})`),
    };
  }
  const unused = hls
    ? Object.entries(SECOND_LEVEL_FLAGS).find(([letter, flag]) => hasFlag(flag) && !hasSecondLevel(name, letter))
    : undefined;
  if (unused === undefined) return undefined;
  const [letter, flag] = unused;
  return {
    code: 'NEEDS_COUNTER',
    message: `"hls_flags" has "${flag}", which needs "%%${letter}" in the name of the segments ("hls_segment_filename").`,
  };
}

const hasSecondLevel = (name: string, letter: string): boolean => new RegExp(`%%0?\\d*${letter}`).test(name);

/** The pattern of a name with a date. Words in a date, such as a month, count as digits. */
export const datePattern = (name: string): NamePattern =>
  parseNamePattern(name.replaceAll('%F', '%Y-%m-%d'), DATE_MARKS, ([mark]) =>
    numberCounter(ONE_DIGIT_LETTERS.has(mark.slice(1)) ? '1' : '2', 0),
  );

const ONE_DIGIT_LETTERS: ReadonlySet<string> = new Set(['u', 'w']);

export const SAME_SECOND: Warning = {
  field: '/parameters/strftime',
  code: 'SAME_NAME',
  message:
    'Files that begin in the same second get the same name, and each overwrites the one before. A counter ("%03d") without "strftime" keeps all.',
};

/**
 * The allowed conversions of `strftime` by letter. In every C library, these give only letters, digits and dashes. Other conversions give
 * slashes (`%D`), spaces (`%c`, `%e`), line feeds, no text, or colons (`%T`), which players take for a URL scheme.
 */
const STRFTIME_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Y: 'year',
    y: 'year, two digits',
    C: 'century',
    m: 'month',
    d: 'day',
    F: 'year-month-day',
    j: 'day of the year',
    H: 'hour',
    I: 'hour, 12-hour clock',
    M: 'minute',
    S: 'second',
    s: 'seconds since 1970',
    p: 'AM or PM',
    b: 'name of the month',
    h: 'name of the month',
    B: 'full name of the month',
    a: 'name of the day',
    A: 'full name of the day',
    u: 'day of the week, from Monday',
    w: 'day of the week, from Sunday',
    U: 'week, from Sunday',
    W: 'week, from Monday',
    V: 'week of ISO 8601',
    G: 'year of that week',
    g: 'year of that week, two digits',
  }),
);
