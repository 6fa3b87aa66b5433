import { CUT_MEASUREMENTS } from '../domain/cut.ts';
import { type Edits, memberSentBy, orElse, sendMember, sendValue } from '../domain/edit.ts';
import type { Hint } from '../domain/hint.ts';
import { isMembers, type Members } from '../domain/structured-values.ts';
import { meantField } from '../domain/synonyms/field-words.ts';
import { alreadySet, besideParameters } from './explain-parameters.ts';
import { meantSeconds } from './explain-scalars.ts';
import type { SentField } from './schema-at.ts';

/** Fixes for cuts in another form: ranges outside "keep" and "remove", pairs of times, or lengths instead of ends. */

const isTime = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** The field of a range ("start" or "end") that a word means. */
const edgeOf = (key: string): string | undefined => meantField(key, ['start', 'end']);

const LENGTH = /^(?:duration|length|t|seconds)$/i;

/** The maximum number of ranges that a fix repeats. */
const MAX_REPEATED = 20;

/** An object with more fields is not a range. */
const MAX_FIELDS = 20;

/** Reads `[10, 20]` or `{"from": 10, "to": 20}` as a range of a cut. undefined for other values. */
function rangeOf(value: unknown): Members | undefined {
  const [, first, second] =
    typeof value === 'string' ? (/^([\d:.]{1,15})\s?(?:-|to)\s?([\d:.]{1,15})$/.exec(value) ?? []) : [];
  if (first !== undefined && second !== undefined) return { start: first, end: second };
  if (Array.isArray(value)) {
    const [start, end, ...others]: readonly unknown[] = value;
    return others.length === 0 && isTime(start) && isTime(end) ? { start, end } : undefined;
  }
  if (!isMembers(value) || Object.keys(value).length > MAX_FIELDS) return undefined;
  const of = (isMeant: (key: string) => boolean): unknown => Object.entries(value).find(([key]) => isMeant(key))?.[1];
  const [start, end] = ['start', 'end'].map((edge) => of((key) => edgeOf(key) === edge));
  const length = of((key) => LENGTH.test(key));
  if (![start, end, length].every((time) => time === undefined || isTime(time))) return undefined;
  const [from, seconds] = [start ?? 0, length].map((time) =>
    typeof time === 'string' ? meantSeconds(time) : (time as number | undefined),
  );
  const until = end ?? (from !== undefined && seconds !== undefined ? withoutNoise(from + seconds) : undefined);
  const isLost = length !== undefined && until === undefined;
  if (isLost || (start === undefined && until === undefined)) return undefined;
  return { ...(start !== undefined && { start }), ...(until !== undefined && { end: until }) };
}

/** Rounds away noise: 0.1 + 0.2 becomes 0.3. */
const withoutNoise = (seconds: number): number => Number(seconds.toFixed(6));

/** Reads a list as ranges. undefined: an element is not a range, or there are too many ranges to repeat. */
function rangesOf(value: unknown): readonly Members[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) && rangeOf(value) === undefined ? value : [value];
  const ranges = list.map(rangeOf).filter((one) => one !== undefined);
  return ranges.length === list.length && list.length > 0 && list.length <= MAX_REPEATED ? ranges : undefined;
}

/** The fix for a wrong type in a cut: `[{"start": 1, "end": 2}]`, or `[1, 2]` in "keep". `path`: the path of the value in the body. */
export function meantCut(path: readonly PropertyKey[], value: unknown): Edits | undefined {
  if (path.at(-1) === 'cut') {
    const keep = rangesOf(value);
    return keep && orElse(sendValue({ keep }), `${JSON.stringify({ remove: keep })} if these parts go`);
  }
  if (path.at(-2) === 'cut' && path.at(-1) !== 'crossfade') {
    const ranges = rangesOf(value);
    if (ranges !== undefined) return sendValue(ranges);
    return path.at(-1) === 'remove' && isMeasurement(value) ? sendValue({ [value]: {} }) : undefined;
  }
  const isRange = /^(?:keep|remove)$/.test(String(path.at(-2))) && path.at(-3) === 'cut';
  const range = isRange ? rangeOf(value) : undefined;
  return range && sendValue(range);
}

/** The fix for a cut with both "keep" and "remove": keep the parts of "keep" that "remove" does not remove. undefined: no part is left. */
export function keptWithoutRemoved(cut: unknown): Edits | undefined {
  if (!isMembers(cut)) return undefined;
  const { keep, remove, ...others } = cut;
  const [kept, removed] = [keep, remove].map((part) => spansOf(part));
  const left = removed?.reduce(
    (parts, [from, until]) =>
      parts.flatMap(([start, end]): Span[] => [
        [start, Math.min(end, from)],
        [Math.max(start, until), end],
      ]),
    kept ?? [],
  );
  const parts = left
    ?.filter(([start, end]) => start < end)
    .map(([start, end]) => ({ start, ...(end < Infinity && { end }) }));
  return parts === undefined || parts.length === 0 || parts.length > MAX_REPEATED
    ? undefined
    : sendValue({ keep: parts, ...others });
}

type Span = readonly [start: number, end: number];

/** The starts and ends of ranges in seconds. undefined for other values. */
function spansOf(value: unknown): readonly Span[] | undefined {
  const spans = rangesOf(value)?.map(({ start = 0, end = Infinity }) =>
    [start, end].map((time) => (typeof time === 'string' ? meantSeconds(time) : (time as number))),
  );
  return spans?.every(([start, end]) => start !== undefined && end !== undefined) === true
    ? (spans as unknown as Span[])
    : undefined;
}

/** The fix for an unknown field of a cut or of a range. `known`: the allowed fields. */
export function cutFieldFix({ key, value, parent, known }: SentField): Hint | undefined {
  if (known.join() === 'start,end' && LENGTH.test(key)) {
    const { end } = rangeOf(parent) ?? {};
    return end === undefined ? 'Send "end", a time of the input, instead.' : sendMember('end', end);
  }
  const isTimeOfCut = edgeOf(key) !== undefined || LENGTH.test(key);
  const inside = known.includes('marginSeconds') ? 'remove' : known.includes('partSeconds') ? 'keep' : undefined;
  if (inside !== undefined && isTimeOfCut) {
    const ranges = rangesOf(parent);
    return ranges && sendMember(inside, ranges);
  }
  if (!known.includes('keep') || !known.includes('remove') || meantField(key, known) !== undefined) return undefined;
  if (isMeasurement(key)) return sendMember('remove', { [key]: isMembers(value) ? value : {} });
  const ranges = isTimeOfCut ? rangesOf(parent) : rangesOf(value);
  if (ranges === undefined && !PARTS.test(key)) return undefined;
  return ranges === undefined
    ? 'Send "keep" with the parts to keep, or "remove" with the parts to remove: {"keep": [{"start": 10, "end": 20}]}.'
    : orElse(sendMember('keep', ranges), '"remove" with them if they go');
}

/** Words for parts that stay, and words for parts that are removed. */
const KEPT =
  /^(?:trim|(?:sub_?)?clips?|keep|extract|crop_?time|time_?range|segments?|parts?|ranges?|sections?|intervals?)$/i;
const REMOVED = /^(?:remove|delete|exclude|skip|cut_?out)$/i;

/** The fix for ranges as a field of the request: `"trim": {"start": 1, "end": 2}`. */
export function cutOfRanges({ key, value, parent, known }: SentField): Edits | undefined {
  // A text with one range, `"trim": "5-10"`, has another fix: "ss" and "to".
  const side =
    typeof value === 'string' ? undefined : KEPT.test(key) ? 'keep' : REMOVED.test(key) ? 'remove' : undefined;
  const ranges = side === undefined || !known.includes('cut') ? undefined : rangesOf(value);
  if (ranges === undefined || side === undefined) return undefined;
  return parent['cut'] !== undefined ? alreadySet('cut') : sendMember('cut', { [side]: ranges });
}

/** The fix for ranges that were sent as an option in "parameters". */
export function cutOfOption(name: string, value: unknown): Edits | undefined {
  const cut = memberSentBy(cutOfRanges({ key: name, value, parent: {}, known: ['cut'] }), 'cut');
  return cut === undefined ? undefined : besideParameters(name, cut, 'cut');
}

const isMeasurement = (value: unknown): value is string => CUT_MEASUREMENTS.some((one) => one === value);

const PARTS = /^(?:segments?|parts?|ranges?|clips?|sections?|intervals?|times?|chunks?|pieces?)$/i;
