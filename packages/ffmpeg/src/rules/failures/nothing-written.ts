import { hasEdits, orElse, sendMembers } from '@telecine/contract/domain/edit.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import { type Hint, withAdvice } from '@telecine/contract/domain/hint.ts';
import { nothingDone } from '../../log/classify.ts';
import { isWholeMilliseconds } from '../../values/duration.ts';
import { withChoice } from '../facts/graph-fixes.ts';
import { type MediaFacts, secondsIn, secondsText } from '../facts/media-facts.ts';
import { filtersIn, type PlacedFilter } from '../facts/placed-filter.ts';
import { failed } from './media-failure.ts';

/** Explains why nothing was written: the requested part starts after the end of an input, or a filter removed everything. */
export function explainNothingWritten(facts: MediaFacts): Failure | undefined {
  return seekBehindEnd(facts) ?? trimBehindEnd(facts) ?? crossfadeTooLong(facts) ?? selectedNothing(facts);
}

/** Explains a single frame that is requested after the last frame of a video. The audio of this video may be longer. */
export const frameBehindEnd = (facts: MediaFacts): Failure | undefined =>
  isImage(facts) ? seekBehindEnd(facts) : undefined;

function selectedNothing(facts: MediaFacts): Failure | undefined {
  const found = emptySelection(facts, 'video') ?? emptySelection(facts, 'audio');
  return found && failed('FFMPEG_FAILED', `${nothingDone(facts.plan)}: ${found.reason}.`, found.fix);
}

function seekBehindEnd(facts: MediaFacts): Failure | undefined {
  const { inputs, output } = facts.plan.span;
  const longest = Math.max(
    ...facts.inputs.map((_one, index) => facts.secondsOfInput(index) ?? Number.POSITIVE_INFINITY),
  );
  for (const [index, { start }] of inputs.entries()) {
    const seconds = facts.inputs[index]?.durationSeconds;
    if (start === undefined || seconds === undefined || start < lastStart(facts, index, seconds)) continue;
    return startFix(facts, index, start, seconds);
  }
  const end = facts.inputs.length === 1 ? lastStart(facts, 0, longest) : longest;
  return output.start !== undefined && Number.isFinite(longest) && output.start >= end
    ? startFix(facts, 0, output.start, longest)
    : undefined;
}

/**
 * Returns the first `ss` in seconds that is too late for an input. For an image output, it is before the end of the input: the last frame
 * starts earlier, and audio is often a little longer.
 */
function lastStart(facts: MediaFacts, input: number, seconds: number): number {
  const [video] = isImage(facts) ? facts.streamsOf(input, 'video') : [];
  const end = video && facts.inputs[input]?.streamSeconds?.get(video.index);
  const rate = video && facts.traitsOf(input, video.index)?.baseRate;
  return end === undefined || rate === undefined ? seconds : Math.min(seconds, end - 0.5 / rate);
}

const isImage = ({ plan }: MediaFacts): boolean => /^image2/.test(plan.output.muxer);

function startFix(facts: MediaFacts, input: number, start: number, seconds: number): Failure {
  const { inputs, output } = facts.plan.span;
  const own = inputs[input]?.start === start ? { ...output, ...inputs[input] } : output;
  const end =
    isImage(facts) && start < seconds
      ? `the last frame of ${facts.pathOf(input)} begins before`
      : `${facts.pathOf(input)} ends at ${secondsText(seconds)}`;
  const message = `${nothingDone(facts.plan)}: "ss" starts at ${secondsText(start)}, but ${end}`;
  const before = lastPart(facts, input, own, seconds) ?? `an "ss" before ${secondsText(seconds)}`;
  const times = inMilliseconds(own, seconds);
  if (times === undefined) return failed('FFMPEG_FAILED', `${message}.`, `Send ${before}, or leave "ss" out.`);
  return failed(
    'FFMPEG_FAILED',
    `${message}. Times are in seconds, not in milliseconds.`,
    orElse(sendMembers(times), before),
  );
}

/**
 * Returns text with the `ss` for the last frame of an image output, or for the last `t` seconds of other outputs. undefined: the output is
 * not an image and has no `t`.
 */
function lastPart(
  facts: MediaFacts,
  input: number,
  { duration }: MediaFacts['plan']['span']['output'],
  seconds: number,
): string | undefined {
  const { index = -1, fps = 0 } = facts.streamsOf(input, 'video')[0] ?? {};
  const end = facts.inputs[input]?.streamSeconds?.get(index) ?? seconds;
  if (isImage(facts) && end > 1 / fps)
    return `"ss": "${Math.floor((end - 1 / fps) * 1000) / 1000}" for the last frame, an earlier "ss"`;
  if (duration === undefined || duration >= seconds) return undefined;
  return `"ss": "${Math.round((seconds - duration) * 100) / 100}" for the last ${secondsText(duration)}, an earlier "ss"`;
}

/**
 * Converts the times of a cut from milliseconds to seconds. undefined: the times do not look like milliseconds, or a converted time is
 * after the end of the input.
 */
function inMilliseconds(
  { start = 0, duration, end }: MediaFacts['plan']['span']['output'],
  seconds: number,
): Readonly<Record<string, string>> | undefined {
  const times = Object.entries({ ss: start, t: duration, to: end }).filter(([, value]) => value !== undefined);
  if (!times.every(([, value = 0]) => isWholeMilliseconds(value) && value / 1000 < seconds)) return undefined;
  return Object.fromEntries(times.map(([name, value = 0]) => [name, `${value / 1000}`]));
}

function trimBehindEnd(facts: MediaFacts): Failure | undefined {
  for (const at of filtersIn(facts, 'trim', 'atrim')) {
    const source = at.timed();
    const start = secondsIn(at.option('start', 'starti'));
    if (source === undefined || start === undefined || start < source.seconds) continue;
    return failed(
      'FFMPEG_FAILED',
      `${nothingDone(facts.plan)}: the filter ${at.name} starts at ${secondsText(start)}, but ${facts.pathOf(source.input)} has only ${secondsText(source.seconds)}.`,
      at.change({ start: Math.floor(source.seconds / 2) }, ['starti']),
    );
  }
  return undefined;
}

function crossfadeTooLong(facts: MediaFacts): Failure | undefined {
  for (const at of filtersIn(facts, 'acrossfade')) {
    const asked = secondsIn(at.option('duration', 'd')) ?? 1;
    const source = [at.timed(0), at.timed(1)].find((one) => one !== undefined && one.seconds <= asked);
    if (source === undefined) continue;
    return failed(
      'FFMPEG_FAILED',
      `${nothingDone(facts.plan)}: the crossfade takes ${secondsText(asked)}, but ${facts.pathOf(source.input)} has only ${secondsText(source.seconds)}.`,
      at.change({ d: Math.max(0.1, Math.floor(source.seconds * 7) / 10) }, ['duration', 'nb_samples', 'ns']),
    );
  }
  return undefined;
}

interface EmptySelection {
  readonly key: string;
  readonly reason: string;
  readonly fix: Hint;
}

/** Finds the filter that removed all frames. Call it only if the output has nothing of this kind. undefined: there is no such filter. */
export function emptySelection(facts: MediaFacts, kind: 'video' | 'audio'): EmptySelection | undefined {
  const [at] = filtersIn(facts, kind === 'video' ? 'select' : 'aselect');
  return at && explain(at);
}

/** Matches a condition on the start time: `gt(t,100)`, `gte(t,100)`, `between(t,100,110)`. */
const FROM_TIME = /^(gte?|between)\(t,(\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?))?\)$/;
/** Matches a condition on the difference between two frames: `gt(scene,0.9)`. */
const SCENE = /^gte?\(scene,(\d+(?:\.\d+)?|\.\d+)\)$/;

function explain(at: PlacedFilter): EmptySelection {
  const { key } = at.graph;
  const expression = (at.option('expr', 'e') ?? '').replaceAll(' ', '');
  const source = at.timed();
  const changed = (expr: string): Hint => at.change({ expr }, ['e']);
  const nothing = `the filter ${at.name} let nothing pass`;
  const [, call, from = '', to] = FROM_TIME.exec(expression) ?? [];
  if (call !== undefined && source !== undefined && Number(from) >= source.seconds) {
    const { input, seconds } = source;
    const begin = Math.floor(seconds / 2);
    return {
      key,
      reason: `${nothing}: it starts at ${secondsText(Number(from))}, but ${at.facts.pathOf(input)} has only ${secondsText(seconds)}`,
      fix: changed(to === undefined ? `${call}(t,${begin})` : `between(t,${begin},${Math.ceil(seconds)})`),
    };
  }
  const threshold = Number(SCENE.exec(expression)?.[1] ?? Number.NaN);
  if (!Number.isNaN(threshold)) {
    const note = 'If still nothing passes, lower it again.';
    const lower = threshold > 0.3 ? 0.3 : threshold / 3;
    const fix = changed(`gt(scene,${Number(lower.toPrecision(2))})`);
    return {
      key,
      reason: `${nothing}: no frame differs by more than ${threshold} from the one before`,
      fix: hasEdits(fix) ? { ...fix, note } : withAdvice(fix, note),
    };
  }
  return {
    key,
    reason: `${nothing}: its expression was 0 for all of them`,
    fix: withChoice(at.replace(at.name === 'select' ? 'null' : 'anull'), 'send another expression of the filter'),
  };
}

/** Input options that select a part of the input. Each has a value. */
const PARTS: ReadonlySet<string> = new Set(['-ss', '-t', '-to', '-sseof', '-stream_loop', '-itsoffset', '-timelimit']);

/** The maximum processor time of a measurement, in seconds. A measurement only copies, so this is enough for hours of video. */
const MAX_SECONDS = '60';

/**
 * Returns the argv that reads one input of `argv` up to its end, copies its video and audio, and writes nothing. The last progress of this
 * run shows where the data of the input ends. undefined: there is no such input.
 */
export function readingArgv(argv: readonly string[], input: number): readonly string[] | undefined {
  const lastInput = argv.lastIndexOf('-i');
  if (lastInput < 0 || argv.filter((word) => word === '-i').length <= input) return undefined;
  const opening = argv.slice(0, lastInput + 2);
  const whole = opening.filter((word, index) => !PARTS.has(word) && !PARTS.has(opening[index - 1] ?? ''));
  const map = ['-map', `${input}:v?`, '-map', `${input}:a?`];
  return [...whole, '-timelimit', MAX_SECONDS, ...map, '-c', 'copy', '-f', 'null', '-'];
}

/** If the data of a file ends before this share of the duration in its header, the file was cut off. */
const CUT_OFF = 0.9;

/**
 * Returns the first input that may be cut off: its header has a duration, and the run reads its streams. If there is none, returns the
 * first input that the run reads.
 */
export const inputToMeasure = ({ inputs, used }: MediaFacts): number | undefined => {
  const read = [...inputs.keys()].filter((index) => used.some(({ input }) => input === index));
  return read.find((index) => (inputs[index]?.durationSeconds ?? 0) > 0) ?? read[0];
};

/**
 * Explains why nothing was written, if an input without a duration has no data after its header. `read`: the amount that ffmpeg copied from
 * this input.
 */
export function emptyInput(
  facts: MediaFacts,
  input: number,
  read: { readonly outSeconds?: number; readonly frame?: number },
): Failure | undefined {
  const { durationSeconds, streams = [] } = facts.inputs[input] ?? {};
  if ((durationSeconds ?? 0) > 0 || (read.outSeconds ?? 0) > 0 || (read.frame ?? 0) > 0) return undefined;
  const what = streams.some(({ type }) => type === 'video') ? 'no frame' : 'no audio';
  return failed(
    'INPUT_INVALID',
    `${nothingDone(facts.plan)}: ${facts.pathOf(input)} ends after its header and holds ${what}.`,
    'Send the complete file: this one is only a part. If it is still being copied or recorded, send the request again when that has ended.',
  );
}

/** Explains why nothing was written, if the data of an input ends earlier than its header says. `seconds`: the end of the data. */
export function cutOffInput(facts: MediaFacts, input: number, seconds: number): Failure | undefined {
  const stated = facts.inputs[input]?.durationSeconds ?? 0;
  if (seconds >= stated * CUT_OFF) return undefined;
  const start = facts.plan.span.inputs[input]?.start ?? facts.plan.span.output.start;
  const before = Math.floor(seconds / 2);
  return failed(
    'INPUT_INVALID',
    `${nothingDone(facts.plan)}: the data of ${facts.pathOf(input)} ends at ${secondsText(seconds)}, although its header says ${secondsText(stated)}${
      start === undefined ? '' : `, and "ss" starts at ${secondsText(start)}`
    }. The file is cut off.`,
    start === undefined || seconds === 0
      ? 'Send the complete file again.'
      : `Send the complete file again, or an "ss" before ${secondsText(seconds)}, such as "ss": "${before}".`,
  );
}
