import type { Failure } from '../../../domain/failure.ts';
import { nothingDone } from '../../log/classify.ts';
import { type MediaFacts, pathOf, secondsText } from '../media-facts.ts';
import { failed } from './media-failure.ts';

/** Options of an input that choose a part of it, each with a value. */
const PARTS: ReadonlySet<string> = new Set(['-ss', '-t', '-to', '-sseof', '-stream_loop', '-itsoffset', '-timelimit']);

/** The processor time that measuring may take. It copies, so this is enough for hours of film. */
const MAX_SECONDS = '60';

/**
 * Returns the argv that reads one input of `argv` up to its end, copies its video and audio and writes nothing. The time of
 * its last progress is where the data of the input ends. undefined if there is no such input.
 */
export function readingArgv(argv: readonly string[], input: number): readonly string[] | undefined {
  const lastInput = argv.lastIndexOf('-i');
  if (lastInput < 0 || argv.filter((word) => word === '-i').length <= input) return undefined;
  const opening = argv.slice(0, lastInput + 2);
  const whole = opening.filter((word, index) => !PARTS.has(word) && !PARTS.has(opening[index - 1] ?? ''));
  const map = ['-map', `${input}:v?`, '-map', `${input}:a?`];
  return [...whole, '-timelimit', MAX_SECONDS, ...map, '-c', 'copy', '-f', 'null', '-'];
}

/** A file whose data ends before this share of the duration in its header was cut off. */
const CUT_OFF = 0.9;

/**
 * The first input of the plan that may be cut off: its header names a duration, and streams of it are read. Else the first one that
 * is read.
 */
export const inputToMeasure = ({ inputs, used }: MediaFacts): number | undefined => {
  const isUsed = (index: number): boolean => used.some(({ input }) => input === index);
  const timed = inputs.findIndex(({ durationSeconds }, index) => (durationSeconds ?? 0) > 0 && isUsed(index));
  const found = timed < 0 ? inputs.findIndex((_one, index) => isUsed(index)) : timed;
  return found < 0 ? undefined : found;
};

/** Why nothing was written, if the data of an input that has no duration is only its header. `read`: what ffmpeg copied of it. */
export function emptyInput(
  facts: MediaFacts,
  input: number,
  read: { readonly outSeconds?: number; readonly frame?: number },
): Failure | undefined {
  const { durationSeconds, streams = [] } = facts.inputs[input] ?? {};
  if ((durationSeconds ?? 0) > 0 || (read.outSeconds ?? 0) > 0 || (read.frame ?? 0) > 0) return undefined;
  const what = streams.some(({ type }) => type === 'video') ? 'no picture' : 'no sound';
  return failed(
    'INPUT_INVALID',
    `${nothingDone(facts.plan)}: ${pathOf(facts, input)} ends after its header and holds ${what}.`,
    'Send the complete file: this one is only a part. If it is still being copied or recorded, send the request again when that has ended.',
  );
}

/** Why nothing was written, if the data of an input ends before its header says. `seconds`: where it ends. */
export function cutOffInput(facts: MediaFacts, input: number, seconds: number): Failure | undefined {
  const stated = facts.inputs[input]?.durationSeconds ?? 0;
  if (seconds >= stated * CUT_OFF) return undefined;
  const start = facts.plan.span.inputs[input]?.start ?? facts.plan.span.output.start;
  const before = Math.floor(seconds / 2);
  return failed(
    'INPUT_INVALID',
    `${nothingDone(facts.plan)}: the data of ${pathOf(facts, input)} ends at ${secondsText(seconds)}, although its header says ${secondsText(stated)}${
      start === undefined ? '' : `, and "ss" starts at ${secondsText(start)}`
    }. The file is cut off.`,
    start === undefined || seconds === 0
      ? 'Send the complete file again.'
      : `Send the complete file again, or an "ss" before ${secondsText(seconds)}, such as "ss": "${before}".`,
  );
}
