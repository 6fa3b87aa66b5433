import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { OutputPlan } from '@telecine/contract/domain/plan.ts';
import { nothingDone } from '../log/classify.ts';
import type { ProgressBlock } from '../log/progress-reader.ts';
import type { InputReport, UsedStream } from '../log/report.ts';
import { secondsText } from '../rules/facts/media-facts.ts';
import { startAfterEnd } from '../rules/result/outside-input.ts';

/** What a pass that wrote nothing read. `used`: the streams that it wrote or filtered. */
export interface ReadInputs {
  readonly plan: OutputPlan;
  readonly inputs: readonly InputReport[];
  readonly used: readonly UsedStream[];
}

const pathOf = ({ plan }: ReadInputs, input: number): string => `"${plan.inputs[input]?.path}"`;

/** Explains why nothing was written: the requested part starts after the end of its input. */
export function lateStart(read: ReadInputs): Failure | undefined {
  const late = startAfterEnd(read);
  return late && { code: 'FFMPEG_FAILED', message: `${nothingDone(read.plan)}: ${late.message}`, fix: late.fix };
}

/** Returns the input that may be cut off: the first used input whose header has a duration, else the first used input. */
export function inputToRead({ inputs, used }: ReadInputs): number | undefined {
  const read = [...inputs.keys()].filter((index) => used.some(({ input }) => input === index));
  return read.find((index) => (inputs[index]?.durationSeconds ?? 0) > 0) ?? read[0];
}

/** Input options that change which part of an input is read, each followed by a value. */
const PARTS: ReadonlySet<string> = new Set(['-ss', '-t', '-to', '-sseof', '-stream_loop', '-itsoffset', '-timelimit']);

/** In seconds of processor time. Copying hours of video takes less. */
const MAX_SECONDS = '60';

/** Returns the argv that reads one input and writes nothing. Its last progress line shows where the data ends. undefined: no such input. */
export function readingArgv(argv: readonly string[], input: number): readonly string[] | undefined {
  const lastInput = argv.lastIndexOf('-i');
  if (lastInput < 0 || argv.filter((word) => word === '-i').length <= input) return undefined;
  const opening = argv.slice(0, lastInput + 2);
  const whole = opening.filter((word, index) => !PARTS.has(word) && !PARTS.has(opening[index - 1] ?? ''));
  const map = ['-map', `${input}:v?`, '-map', `${input}:a?`];
  return [...whole, '-timelimit', MAX_SECONDS, ...map, '-c', 'copy', '-f', 'null', '-'];
}

/** A file is cut off if its data ends before this share of the duration in its header. */
const CUT_OFF = 0.9;

/** Explains why nothing was written: the data of an input ends before its header says. `last`: how much `readingArgv` copied of it. */
export function shortData(read: ReadInputs, input: number, last: ProgressBlock | undefined): Failure | undefined {
  const { durationSeconds: stated = 0 } = read.inputs[input] ?? {};
  const { outSeconds: seconds = 0, frame = 0 } = last ?? {};
  const { inputs, output } = read.plan.span;
  const start = inputs[input]?.start ?? output.start;
  const explained = (what: string): Failure => ({
    code: 'INPUT_INVALID',
    message: `${nothingDone(read.plan)}: ${pathOf(read, input)} ${what}.`,
    fix: 'Send the complete file. If it is still being copied or recorded, send the request again when that has ended.',
  });
  if (stated <= 0) return seconds > 0 || frame > 0 ? undefined : explained('ends after its header and holds no frames');
  // If there is data after the start, the seek has failed, and the file may be intact.
  if (seconds >= stated * CUT_OFF || (start !== undefined && start < seconds)) return undefined;
  return explained(
    `is cut off: its data ends at ${secondsText(seconds)}, although its header says ${secondsText(stated)}`,
  );
}
