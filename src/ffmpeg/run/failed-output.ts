import type { Failure } from '../../domain/failure.ts';
import { outputOf, type Plan, type PlannedOutput } from '../../domain/plan.ts';
import { trustedLines } from '../log/classify.ts';
import type { LogLine } from '../log/log-line.ts';
import type { PassOutput } from './pass-output.ts';

/** The parts of ffmpeg 6 and later that write an output: `out#1/mp4`, `vost#1:0/libx264`. */
const WRITER = /^(?:out#|[vasdt]ost#)(\d+)[:/]/;

/** Messages of older releases: `output stream #1:0`, `output file #1`, and the name `out/1/a.mp4` in all of them. */
const NUMBERED = /\boutput (?:stream|file) #?(\d+)\b|\bout\/(\d{1,2})\//;

/** Returns the output that ffmpeg complains about, if there are several. undefined if it does not say. */
export function failedOutput(lines: readonly LogLine[], outputs: readonly PassOutput[]): PassOutput | undefined {
  if (outputs.length < 2) return undefined;
  for (const { component = '', text, level } of trustedLines(lines)) {
    if (level !== 'error' && level !== 'fatal') continue;
    const match = NUMBERED.exec(text);
    const number = WRITER.exec(component)?.[1] ?? match?.[1] ?? match?.[2];
    const output = number === undefined ? undefined : outputs[Number(number)];
    if (output !== undefined) return output;
  }
  return undefined;
}

/** The failure with the path of the output that it is about, if there are several. */
export function ofOutput(plan: Plan, index: number, failure: Failure): Failure {
  if (plan.outputs.length < 2) return failure;
  const message = `Output "${outputOf(plan, index).path}": ${failure.message}`;
  return { ...failure, message, about: { ...failure.about, output: index } };
}

/** The outputs that a failure may be about: the one that `ofOutput` has named, or all. */
export function outputsOf({ outputs }: Plan, { about }: Pick<Failure, 'about'>): readonly PlannedOutput[] {
  const named = about?.output === undefined ? undefined : outputs[about.output];
  return named === undefined ? outputs : [named];
}
