import type { Warning } from '../../../domain/plan.ts';
import { STRFTIME_LETTERS, STRFTIME_REPLACEMENTS } from '../../allowlist/strftime-letters.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { type NamePattern, numberCounter, parseNamePattern } from './name-pattern.ts';

/** What `strftime` finds in a name: a flag and a width too, which the C library would take. */
const MARKS = /%%0?\d*[dst]|%[-_0^#+]?\d*[EO]?.|%$/gs;

/** A counter of segments that HLS puts in behind the date, where a flag of `hls_flags` asks for it. */
const BEHIND: Readonly<Record<string, string>> = {
  d: 'second_level_segment_index',
  s: 'second_level_segment_size',
  t: 'second_level_segment_duration',
};

/** What the muxer makes of a name besides the date. */
export interface DateNameRules {
  /** HLS: a counter may stand as `%%03d`, and `%v` for the variant. */
  readonly hls: boolean;
  /** HLS: whether `hls_flags` has this flag. */
  hasFlag(flag: string): boolean;
}

/**
 * What is wrong with a name that ffmpeg fills in by the date (`strftime`): a name must come out of it that lies in one
 * folder, and that a playlist can hold.
 */
export function checkDateName(name: string, { hls, hasFlag }: DateNameRules): ValueError | undefined {
  for (const [mark] of name.matchAll(MARKS)) {
    const behind = /^%%.*([dst])$/.exec(mark)?.[1];
    const flag = hls && behind !== undefined ? BEHIND[behind] : undefined;
    if (flag !== undefined ? hasFlag(flag) : STRFTIME_LETTERS.has(mark.slice(1)) || (hls && mark === '%v')) continue;
    const instead = STRFTIME_REPLACEMENTS.get(mark);
    return {
      code: 'BAD_FILE_NAME',
      message: `${quoted(mark)} is nothing that the date may fill in: "strftime" is on, and only letters may stand behind "%" that make a plain part of a name.`,
      allowed: [...STRFTIME_LETTERS].map(([letter, meaning]) => `%${letter} (${meaning})`),
      fix: instead === undefined ? fixOf(mark, flag, hls) : `Send "${name.replaceAll(mark, instead)}".`,
    };
  }
  const flag = hls
    ? Object.entries(BEHIND).find(([letter, one]) => hasFlag(one) && !behindIn(name, letter))
    : undefined;
  if (flag === undefined) return undefined;
  return {
    code: 'NEEDS_COUNTER',
    message: `"hls_flags" has "${flag[1]}", and the name no place for it.`,
    fix: `Put "%%03${flag[0]}" into it, or leave the flag out.`,
  };
}

const behindIn = (name: string, letter: string): boolean => new RegExp(`%%0?\\d*${letter}`).test(name);

function fixOf(mark: string, flag: string | undefined, hls: boolean): string {
  if (flag !== undefined) return `Send "hls_flags": "+${flag}" too.`;
  if (!/^%0?\d+d$/.test(mark)) return 'Leave it out, or write it by the letters above.';
  return hls
    ? `To count, send "%${mark}" and "hls_flags": "+second_level_segment_index".`
    : 'To count, leave "strftime" out: a name has the date or a counter.';
}

/** What a name can come out as; the words of a date are taken for figures too. */
export const datePattern = (name: string): NamePattern =>
  parseNamePattern(name.replaceAll('%F', '%Y-%m-%d'), MARKS, ([mark]) =>
    numberCounter(FEW.has(mark.slice(1)) ? '1' : '2', 0),
  );

/** Of one figure. */
const FEW: ReadonlySet<string> = new Set(['u', 'w']);

/** What comes of names by the date alone. HLS can count behind it. */
export const sameSecondWarning = (muxer: string): Warning => ({
  field: '/parameters/strftime',
  code: 'SAME_NAME',
  message:
    'Files are named by the second in which they are begun. A conversion may begin several in one second, each of which is written over the one before.',
  fix:
    muxer === 'hls'
      ? 'Send "hls_flags": "+second_level_segment_index" and "%%03d" in "hls_segment_filename", or leave "strftime" out.'
      : 'Leave "strftime" out, and let the output count: "part_%03d.ts".',
});
