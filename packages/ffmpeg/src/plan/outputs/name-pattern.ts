import { MAX_NAME_BYTES, MAX_PATH_BYTES } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, SERVICE_FIELD } from '../request/argv-option.ts';
import { VARIANT_MARK } from './variant-streams.ts';

/** A number in a file name that varies from file to file: the number of a segment, an image or a stream, or a part of the date. */
export interface NameCounter {
  /** The lowest value, with leading zeros as ffmpeg writes it: `001`. */
  readonly lowest: string;
  /** True if no number has more digits than `lowest`. */
  readonly fixedWidth?: boolean;
}

/** A file name pattern, as single characters and counters. */
export type NamePattern = readonly (string | NameCounter)[];

/** The maximum number of digits of a counter. File names are not longer. */
const MAX_DIGITS = 255;

/** The counter `%03d` or similar. `width`: its width as text (`03` or `3`). `from`: the lowest number. */
export const numberCounter = (width: string, from: number): NameCounter => ({
  lowest: `${Number.isSafeInteger(from) && from > 0 ? from : 0}`.padStart(Math.min(Number(width), MAX_DIGITS), '0'),
});

/** Matches the counters that `av_get_frame_filename` expands, and `%%`, which becomes a percent sign. */
export const COUNTERS = /%(?:%|(\d*)d)/g;

/** Parses a name with counters. `marks`: matches a counter. `readMark`: converts each match to a counter or plain text. */
export function parseNamePattern(
  text: string,
  marks: RegExp,
  readMark: (match: RegExpMatchArray) => NameCounter | string,
): NamePattern {
  const parts: (string | NameCounter)[] = [];
  let at = 0;
  for (const match of text.matchAll(marks)) {
    parts.push(...text.slice(at, match.index));
    const part = readMark(match);
    if (typeof part === 'string') parts.push(...part);
    else parts.push(part);
    at = match.index + match[0].length;
  }
  parts.push(...text.slice(at));
  return parts;
}

/** True if the pattern has a counter, so that it can name many files. */
export const containsCounter = (pattern: NamePattern): boolean => pattern.some((part) => typeof part !== 'string');

/** How many steps of comparison one request may use. Without a limit, comparing a client's names could take seconds. */
export const comparisonBudget = (): { steps: number } => ({ steps: 20_000 });

/** True if two patterns can give the same name. False if the comparison exceeds the budget. */
export function canOverlap(one: NamePattern, other: NamePattern, budget: { steps: number }): boolean {
  const middle = trimCommonEnds(one, other);
  if (middle === undefined) return false;
  const [a, b] = middle;
  const [endOfA, endOfB] = [a.length * STATES_PER_PART, b.length * STATES_PER_PART];
  const seen = new Set<number>();
  const queue: (readonly [ofA: number, ofB: number])[] = [[0, 0]];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [i, j] = next;
    if (i === endOfA && j === endOfB) return true;
    const state = i * (endOfB + 1) + j;
    if (seen.has(state)) continue;
    seen.add(state);
    budget.steps -= 1;
    if (budget.steps < 0) return false;
    const ofB = transitions(b, j);
    for (const left of transitions(a, i))
      for (const right of ofB)
        if (left.low <= right.high && right.low <= left.high) queue.push([left.next, right.next]);
  }
  return false;
}

/**
 * Removes the start and the end that two patterns share. undefined: they differ before the first or after the last counter, as most names
 * do.
 */
function trimCommonEnds(a: NamePattern, b: NamePattern): readonly [NamePattern, NamePattern] | undefined {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start] && typeof a[start] === 'string') start += 1;
  if (areDifferentCharacters(a[start], b[start])) return undefined;
  let [endOfA, endOfB] = [a.length, b.length];
  while (Math.min(endOfA, endOfB) > start && a[endOfA - 1] === b[endOfB - 1] && typeof a[endOfA - 1] === 'string') {
    endOfA -= 1;
    endOfB -= 1;
  }
  if (Math.min(endOfA, endOfB) > start && areDifferentCharacters(a[endOfA - 1], b[endOfB - 1])) return undefined;
  return [a.slice(start, endOfA), b.slice(start, endOfB)];
}

const areDifferentCharacters = (one: string | NameCounter | undefined, other: string | NameCounter | undefined) =>
  typeof one === 'string' && typeof other === 'string' && one !== other;

/** The characters that may come next in a name, and the state after them. */
interface Transition {
  readonly low: number;
  readonly high: number;
  readonly next: number;
}

/**
 * The number of states per part of a pattern. A state says how many digits of a counter are matched, and whether its number is certainly
 * larger than `lowest`.
 */
const STATES_PER_PART = 2 * (MAX_DIGITS + 1);

const [ZERO, NINE] = [48, 57];

function transitions(pattern: NamePattern, state: number): readonly Transition[] {
  const index = Math.floor(state / STATES_PER_PART);
  const [start, end] = [index * STATES_PER_PART, (index + 1) * STATES_PER_PART];
  const part = pattern[index];
  if (part === undefined) return [];
  if (typeof part === 'string') {
    const character = part.codePointAt(0) ?? 0;
    return [{ low: character, high: character, next: end }];
  }
  const matched = Math.floor((state - start) / 2);
  const isLarger = (state - start) % 2 === 1;
  const after = (larger: 0 | 1): number =>
    matched + 1 === part.lowest.length ? end : start + 2 * (matched + 1) + larger;
  const digit = part.lowest.charCodeAt(matched);
  // A number with more digits than `lowest` is larger than it, and does not begin with 0.
  const extra =
    matched > 0 || part.fixedWidth ? [] : [{ low: isLarger ? ZERO : ZERO + 1, high: NINE, next: start + 1 }];
  if (isLarger) return [...extra, { low: ZERO, high: NINE, next: after(1) }];
  return [...extra, { low: digit + 1, high: NINE, next: after(1) }, { low: digit, high: digit, next: after(0) }].filter(
    ({ low, high }) => low <= high,
  );
}

/** The files that ffmpeg writes under one name or pattern. */
export interface OutputFilePattern {
  /** The option that names the files. Absent: ffmpeg derives their names, or they have the name of the output. */
  readonly option?: ArgvOption;
  /** The files in messages: `the segments`. */
  readonly what: string;
  /** The name below `out/`, with counters as sent. */
  readonly name: string;
  readonly pattern: NamePattern;
}

/** What determines the names of an output's files. */
export interface OutputNaming {
  /** The name of the output below `out/`: `index.m3u8` or `v%v/index.m3u8`. */
  readonly name: string;
  readonly options: readonly ArgvOption[];
  /** The files that options name, by the name of the option. `path`: below `out/`. */
  readonly named: ReadonlyMap<string, { readonly option: ArgvOption; readonly path: string }>;
  /** True if ffmpeg expands dates in file names (option `strftime`). */
  readonly dated: boolean;
  readonly errors: FieldError[];
  readonly warnings: Warning[];
}

/** The files that this option names. Empty: the client did not send it. */
export function filesOfOption(
  { named }: OutputNaming,
  optionName: string,
  what: string,
  pattern?: NamePattern,
): readonly OutputFilePattern[] {
  const file = named.get(optionName);
  if (file === undefined) return [];
  const { option, path } = file;
  // Leave out an option that the service added. No error may name it, because clients cannot change it.
  return [{ what, name: path, pattern: pattern ?? [...path], ...(option.field !== SERVICE_FIELD && { option }) }];
}

/** The error for the first two files that can get the same name: ffmpeg would overwrite one without an error. */
export function findNameClash(files: readonly OutputFilePattern[]): FieldError | undefined {
  const budget = comparisonBudget();
  for (const [index, one] of files.entries()) {
    const other = files.slice(index + 1).find(({ pattern }) => canOverlap(one.pattern, pattern, budget));
    if (other !== undefined) return other.option === undefined ? nameClash(one, other) : nameClash(other, one);
  }
  return undefined;
}

/** The error for two patterns that can give the same name. It points to the option of `files`. */
function nameClash(files: OutputFilePattern, other: OutputFilePattern): FieldError {
  const name =
    files.name === other.name
      ? `the name ${quoted(files.name)}`
      : `the same name (${quoted(files.name)}, ${quoted(other.name)})`;
  const both =
    files.what === other.what ? `${files.what.replace(/s?$/, 's')} of two variants` : `${files.what} and ${other.what}`;
  return {
    field: files.option?.field ?? '/output',
    code: 'SAME_NAME',
    message: `${both.replace(/^t/, 'T')} would both have ${name}, so one would overwrite the other.`,
    allowed: ['a name that no other file of the output has'],
  };
}

/** Matches counters and parts of dates. A counter has at least one digit, and at least its width. */
const MARKS = /%(?!v)0?(\d*)([A-Za-z])/g;

/** The maximum number of bytes of a part of a date. Other parts have at most two bytes. */
const DATE_BYTES: Readonly<Record<string, number>> = {
  ...{ F: 10, s: 10, A: 9, B: 9, Y: 4, G: 4 },
  ...{ a: 3, b: 3, h: 3, j: 3 },
};

/**
 * The error for the first file whose name or path can be too long once ffmpeg expands it. Only lengths are computed, because a short
 * request can give a very long name.
 *
 * @param dated True if ffmpeg expands dates.
 */
export function checkExpandedLength(
  files: readonly Pick<OutputFilePattern, 'name' | 'option'>[],
  variants: readonly string[],
  dated: boolean,
): FieldError | undefined {
  const longest = variants.reduce((one, other) => (bytes(other) > bytes(one) ? other : one), '');
  const growth = bytes(longest) - VARIANT_MARK.length;
  const expandMark = (_mark: string, width: string, letter: string): string =>
    'x'.repeat(dated ? (DATE_BYTES[letter] ?? 2) : Math.min(Math.max(1, Number(width)), MAX_PATH_BYTES + 1));
  const expandedBytes = (text: string): number =>
    bytes(text.replaceAll(MARKS, expandMark)) + growth * (text.split(VARIANT_MARK).length - 1);
  for (const { name, option } of files) {
    const isNameTooLong = name.split('/').some((part) => expandedBytes(part) > MAX_NAME_BYTES);
    if (!isNameTooLong && expandedBytes(name) <= MAX_PATH_BYTES) continue;
    const limit = isNameTooLong ? `${MAX_NAME_BYTES} bytes for a file name` : `${MAX_PATH_BYTES} bytes for a path`;
    const field = option?.field ?? '/output';
    if (!name.includes(VARIANT_MARK))
      return {
        field,
        code: 'TOO_LONG',
        message: `With ${dated ? 'the date' : 'its counters'} in it, ${quoted(name)} exceeds the limit of ${limit}.`,
      };
    return {
      field,
      code: 'TOO_LONG',
      message: `With the variant ${quoted(longest)} as "${VARIANT_MARK}", ${quoted(name)} exceeds the limit of ${limit}.`,
    };
  }
  return undefined;
}

const bytes = (text: string): number => Buffer.byteLength(text);
