import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { OutputPlan } from '@telecine/contract/domain/plan.ts';
import { nothingDone } from '../log/classify.ts';
import type { ProgressBlock } from '../log/progress-reader.ts';
import type { InputReport, UsedStream } from '../log/report.ts';
import { secondsText } from '../rules/facts/media-facts.ts';
import { isCover, ofKind } from '../rules/facts/pass.ts';

/** What a pass that wrote nothing read. `used`: the streams that it wrote or filtered. */
export interface ReadInputs {
  readonly plan: OutputPlan;
  readonly inputs: readonly InputReport[];
  readonly used: readonly UsedStream[];
}

const pathOf = ({ plan }: ReadInputs, input: number): string => `"${plan.inputs[input]?.path}"`;

/**
 * Returns the streams whose data may be cut off: the first video and the first audio of the first used input whose header has a duration. Either
 * may end long before the other. A cover says nothing about the file.
 */
export function streamsToRead({ inputs, used }: ReadInputs): readonly Pick<UsedStream, 'input' | 'stream'>[] {
  const all = [...new Set(used.map(({ input }) => input))];
  const input = all.find((one) => (inputs[one]?.durationSeconds ?? 0) > 0) ?? all[0] ?? 0;
  const streams = inputs[input]?.streams.filter((one) => !isCover(one)) ?? [];
  return (['video', 'audio'] as const).flatMap((kind) =>
    ofKind(streams, kind)
      .slice(0, 1)
      .map(({ index }) => ({ input, stream: index })),
  );
}

/** Input options that change which part of an input is read, each followed by a value. */
const PARTS: ReadonlySet<string> = new Set(['-ss', '-t', '-to', '-sseof', '-stream_loop', '-itsoffset', '-timelimit']);

/** In seconds of processor time. Copying hours of video takes less. */
const MAX_SECONDS = '60';

/** Returns the argv that reads one stream and writes nothing. Its last progress line shows where the data ends. */
export function readingArgv(
  argv: readonly string[],
  { input, stream }: Pick<UsedStream, 'input' | 'stream'>,
): readonly string[] {
  const lastInput = argv.lastIndexOf('-i');
  const opening = argv.slice(0, lastInput + 2);
  const whole = opening.filter((word, index) => !PARTS.has(word) && !PARTS.has(opening[index - 1] ?? ''));
  return [...whole, '-timelimit', MAX_SECONDS, '-map', `${input}:${stream}`, '-c', 'copy', '-f', 'null', '-'];
}

/** A file is cut off if its data ends before this share of the duration in its header. */
const CUT_OFF = 0.9;

/** Explains why nothing was written: the data of an input ends before its header says. `last`: what `readingArgv` copied of each stream. */
export function shortData(
  read: ReadInputs,
  input: number,
  last: readonly (ProgressBlock | undefined)[],
): Failure | undefined {
  const { durationSeconds: stated = 0 } = read.inputs[input] ?? {};
  const seconds = Math.max(0, ...last.map((one) => one?.outSeconds ?? 0));
  const frame = Math.max(0, ...last.map((one) => one?.frame ?? 0));
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
