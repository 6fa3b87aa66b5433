import type { Interval } from '@telecine/contract/domain/analysis.ts';
import {
  CUT_LIMITS,
  type Cut,
  type CutRange,
  isMeasured,
  isOfScenes,
  type MeasuredParts,
  type SceneParts,
} from '@telecine/contract/domain/cut.ts';
import { parseDuration } from '@telecine/contract/domain/duration.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { checkDuration } from '../../values/duration.ts';
import { quoted } from '../../values/value-error.ts';
import type { Clip } from './clip.ts';

/** A part of the input that the output keeps, in seconds from the start of the input. Without `end`, it lasts until the input ends. */
interface KeptRange {
  readonly start: number;
  readonly end?: number;
}

/** The parts of an input that become the output. */
export interface CutParts {
  readonly ranges: readonly KeptRange[];
  readonly clip: Clip;
  readonly warnings: readonly Warning[];
}

/** What checks need to know about the input. They append to `errors` and `warnings`. */
interface RangeContext {
  readonly path: string;
  /** The length of the input. undefined: it was not probed. */
  readonly seconds: number | undefined;
  /** The measured parts, such as silence. undefined: not measured yet. */
  readonly measured: readonly Interval[] | undefined;
  readonly errors: FieldError[];
  readonly warnings: Warning[];
}

/** A range with its field in the request. */
interface SentRange extends KeptRange {
  readonly field: string;
}

/** The parts of the output in their order. undefined: there are errors. While the parts to remove are not measured, nothing is removed. */
export function readRanges({ keep, remove }: Cut, context: RangeContext): readonly KeptRange[] | undefined {
  if (isMeasured(remove)) return rangesAround(remove, context);
  if (isOfScenes(keep)) return rangesInScenes(keep, context);
  const { errors } = context;
  const [name, sent] = keep === undefined ? (['remove', remove ?? []] as const) : (['keep', keep] as const);
  const errorsBefore = errors.length;
  const ranges = sent.flatMap((range, index) => readRange(range, `/cut/${name}/${index}`, errors) ?? []);
  if (errors.length > errorsBefore) return undefined;
  checkOrder(ranges, errors);
  const inside = ranges.flatMap((range) => clip(range, context) ?? []);
  if (errors.length > errorsBefore) return undefined;
  const kept = name === 'keep' ? inside : without(inside, context.seconds);
  if (kept.length === 0) errors.push(NOTHING_LEFT);
  return kept.length === 0 ? undefined : kept;
}

const NOTHING_LEFT: FieldError = {
  field: '/cut/remove',
  code: 'NOTHING_LEFT',
  message: '"remove" removes all of the input, so there is nothing to write.',
};

function readRange({ start, end }: CutRange, field: string, errors: FieldError[]): SentRange | undefined {
  const times = { start, end };
  const read: { start?: number; end?: number } = {};
  const errorsBefore = errors.length;
  for (const name of ['start', 'end'] as const) {
    const sent = times[name];
    if (sent === undefined) continue;
    const seconds = typeof sent === 'number' ? sent : parseDuration(sent);
    const error = typeof sent === 'number' ? undefined : checkDuration(name, sent, false);
    if (error !== undefined || seconds === undefined)
      errors.push({
        field: `${field}/${name}`,
        ...(error ?? { code: 'BAD_TIME', message: `"${name}" must be a time.` }),
      });
    if (seconds !== undefined) read[name] = seconds;
  }
  if (errors.length > errorsBefore) return undefined;
  const { start: from = 0, end: to } = read;
  if (to === undefined || to > from) return { start: from, field, ...(to !== undefined && { end: to }) };
  errors.push({
    field: `${field}/end`,
    code: 'BAD_RANGE',
    message: `The range ends at ${print(to)} s, which is not after its start, ${print(from)} s. Both are times of the input.`,
  });
  return undefined;
}

/** Rejects ranges that overlap or are not in order. Adds only one error. */
function checkOrder(ranges: readonly SentRange[], errors: FieldError[]): void {
  const at = ranges.findIndex(({ start }, index) => {
    const before = ranges[index - 1];
    return before !== undefined && start < (before.end ?? Number.POSITIVE_INFINITY);
  });
  const [range, before] = [ranges[at], ranges[at - 1]];
  if (range === undefined || before === undefined) return;
  const until = before.end === undefined ? 'the end of the input' : `${print(before.end)} s`;
  errors.push({
    field: range.field,
    code: 'BAD_RANGE',
    message: `The range from ${print(range.start)} s begins before the end of the one before it, ${until}. Ranges are in the order of the input, and do not overlap.`,
  });
}

/** How many seconds an end may be after the end of the input, because both times are rounded. */
const ROUNDING = 0.1;

/** The part of a range that is within the input. undefined: no part is; `errors` has the error. */
function clip({ start, end, field }: SentRange, context: RangeContext): KeptRange | undefined {
  const { seconds, path, errors, warnings } = context;
  const range = { start, ...(end !== undefined && { end }) };
  if (seconds === undefined) return range;
  if (start >= seconds) {
    errors.push({
      field: `${field}/start`,
      code: 'RANGE_PAST_END',
      message: `The range begins at ${print(start)} s, but ${quoted(path)} ends at ${print(seconds)} s.`,
    });
    return undefined;
  }
  if (end === undefined || end < seconds) return range;
  if (end > seconds + ROUNDING)
    warnings.push({
      field: `${field}/end`,
      code: 'RANGE_PAST_END',
      message: `The range ends at ${print(end)} s, but ${quoted(path)} ends at ${print(seconds)} s.`,
    });
  return { start };
}

/** The parts between the removed ranges. */
function without(removed: readonly KeptRange[], seconds: number | undefined): readonly KeptRange[] {
  const kept: KeptRange[] = [];
  let at: number | undefined = 0;
  for (const { start, end } of removed) {
    if (at !== undefined && start > at) kept.push({ start: at, end: start });
    at = end;
  }
  return at === undefined || (seconds !== undefined && at >= seconds) ? kept : [...kept, { start: at }];
}

/** The parts between the measured parts. Each measured part is first shortened by the margins of the request. */
function rangesAround(
  remove: MeasuredParts,
  { measured = [], seconds, errors }: RangeContext,
): readonly KeptRange[] | undefined {
  const { marginSeconds: margin = 0 } = remove;
  const removed = measured.flatMap(({ start, end }) => {
    const isLast = seconds !== undefined && end >= seconds - ROUNDING;
    const range = { start: start <= 0 ? 0 : start + margin, ...(!isLast && { end: end - margin }) };
    return (range.end ?? end) > range.start ? [range] : [];
  });
  const kept = without(removed, seconds);
  if (kept.length > 0 && kept.length <= CUT_LIMITS.ranges) return kept;
  errors.push(kept.length === 0 ? { ...NOTHING_LEFT, message: allMeasured(remove) } : tooMany(kept.length));
  return undefined;
}

/** Chooses scenes that are spread over the input, and returns the middle of each. */
function rangesInScenes(
  { count, partSeconds }: SceneParts,
  { measured, seconds, warnings }: RangeContext,
): readonly KeptRange[] {
  if (measured === undefined) return [{ start: 0 }];
  // If the length of the input is unknown, so is the end of the last scene.
  const scenes = measured.map(({ start, end }) => ({ start, end: Math.min(end, seconds ?? start + partSeconds) }));
  const atLeast = (least: number) => scenes.filter(({ start, end }) => end - start >= least);
  const long = atLeast(partSeconds);
  const usable = long.length < count ? atLeast(partSeconds / 2) : long;
  const found = usable.length > 0 ? usable : scenes.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, 1);
  const parts = Math.min(count, found.length);
  if (parts < count)
    warnings.push({
      field: '/cut/keep',
      code: 'FEW_SCENES',
      message:
        usable.length === 0
          ? `No scene of the input has ${print(partSeconds / 2)} s or more, so the output has the longest one.`
          : `The input has ${parts} scene${parts === 1 ? '' : 's'} of ${print(partSeconds / 2)} s or more, so the output has ${parts} part${parts === 1 ? '' : 's'} instead of ${count}.`,
      fix: 'Send a lower "threshold", which finds more scenes, or a shorter "partSeconds".',
    });
  return Array.from({ length: parts }, (_, at) => {
    const [first, ...others] = found.slice(
      Math.floor((at * found.length) / parts),
      Math.floor(((at + 1) * found.length) / parts),
    );
    return middle(
      others.reduce(
        (longest = { start: 0, end: 0 }, one) => (lengthOf(one) > lengthOf(longest) ? one : longest),
        first,
      ),
      partSeconds,
    );
  });
}

const lengthOf = ({ start, end }: Interval): number => end - start;

function middle(scene: Interval = { start: 0, end: 0 }, seconds: number): KeptRange {
  const start = scene.start + Math.max(0, (lengthOf(scene) - seconds) / 2);
  return { start, end: Math.min(scene.end, start + seconds) };
}

const allMeasured = ({ black }: MeasuredParts): string =>
  `"remove" matches all of the input, so there is nothing to write. A lower ${black === undefined ? '"noiseDb"' : '"pixel"'} or a longer "minSeconds" finds less.`;

const tooMany = (count: number): FieldError => ({
  field: '/cut/remove',
  code: 'TOO_MANY',
  message: `Without the measured parts, ${count} parts remain; at most ${CUT_LIMITS.ranges} are allowed. A longer "minSeconds" finds fewer.`,
});

const print = (seconds: number): number => Number(seconds.toFixed(3));
