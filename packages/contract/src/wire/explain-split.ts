import { sendMember } from '../domain/edit.ts';
import type { Hint } from '../domain/hint.ts';
import { isMembers, stringOf } from '../domain/structured-values.ts';
import { meantSeconds } from './explain-scalars.ts';
import type { SentField } from './schema-at.ts';

/** Fixes for fields that split a video into files. A recipe does this. */

const SPLIT =
  /^(?:split|segment|chunk|part|piece|slice)s?(?:_?(?:every|by|into|at|interval|time|duration|length|seconds|size))*$/i;

/** Field names in which a number is the length of a part, not the number of parts. */
const LENGTH = /every|time|duration|length|seconds|interval/i;

/** The fix for a field such as `split: "every 30s"`. undefined: the output already has segments. */
export function splitFix({ key, value, parent: { preset: own, output } }: SentField): Hint | undefined {
  if (!SPLIT.test(key) || own !== undefined) return undefined;
  if (typeof output === 'string' && /\.(?:m3u8|mpd)$/i.test(output)) return undefined;
  if (/^(?:by |at |per )?chapters?$/i.test(stringOf(value))) return sendMember('preset', { name: 'split-chapters' });
  const [name, text] = partOf(key, value);
  const [, digits = '', word] =
    /^(?:every |each |per )?([\d:.]+ ?([a-z]*))(?: each| per (?:part|file))?$/i.exec(text) ?? [];
  const seconds = meantSeconds(digits);
  if (seconds === undefined || !(seconds >= 0.1)) return undefined;
  const preset = { name: 'split', arguments: { length: seconds } };
  const isLength = word !== '' || digits.includes(':') || /^(?:every|each|per) /i.test(text) || LENGTH.test(name);
  return isLength
    ? sendMember('preset', preset)
    : `For parts of ${seconds} seconds each, send "preset": ${JSON.stringify(preset)} and a counter in "output", such as "part_%03d.mp4".`;
}

/** The name and the text of a setting: the only setting in an object, or the field itself. */
function partOf(key: string, value: unknown): readonly [name: string, text: string] {
  const entries = isMembers(value) ? Object.entries(value) : [];
  const [only, ...others] = entries;
  return only === undefined || others.length > 0 ? [key, stringOf(value).trim()] : [only[0], stringOf(only[1]).trim()];
}
