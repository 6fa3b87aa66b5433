import type { Failure } from '../../domain/failure.ts';
import { FAILURE_RULES, type FailureRule, INPUT_COMPLAINT } from './failure-rules.ts';
import { isKnownLine } from './known-lines.ts';
import type { End } from './launch.ts';
import type { LogLine } from './log-line.ts';

/** Says little by itself: another error line, if there is one, tells more. */
const VAGUE =
  /^(?:Conversion failed!|Error (?:re)?initializing filters|Error while processing the decoded|Failed to inject|Task finished|Terminating thread)/;

/**
 * Whether a line may tell why a pass failed. Metadata is logged at level info, and its further lines, which a file
 * words itself, bear no level at all; so of the lines without one only those count that came before ffmpeg spoke
 * (`begun`): the words of bwrap, prlimit, timeout and the loader.
 */
export const isComplaint = ({ level, text }: LogLine, begun: boolean): boolean =>
  level === undefined ? !begun : level !== 'info' || text.startsWith('Exiting normally');

/** How a pass ended, and what ffmpeg had to say. */
export interface Ending extends End {
  /** The complaints among its lines, in their order. */
  readonly lines: readonly LogLine[];
}

/** ffmpeg reports success where a seek leads past the end; a file without frames is no success to the caller. */
export const NOTHING_WRITTEN: Failure = {
  code: 'FFMPEG_FAILED',
  message: 'Nothing was written: the part that was asked for holds no frames.',
  fix: 'Check ss, t, to and frames against the length of the input.',
};

/** Why a pass failed, in words for the caller: no host path, nothing that a file holds. Pure. */
export function classify(ending: Ending): Failure {
  const bySignal = killedBy(ending);
  if (bySignal !== undefined) return bySignal;
  const first = (shape: RegExp): RegExpExecArray | undefined => {
    for (const { text } of ending.lines) {
      const match = shape.exec(text);
      if (match !== null) return match;
    }
    return undefined;
  };
  for (const rule of FAILURE_RULES) {
    const match = first(rule.shape);
    if (match === undefined || (rule.beside !== undefined && first(rule.beside) === undefined)) continue;
    return failure(rule, match, first(INPUT_COMPLAINT)?.[1]);
  }
  const telling = ending.lines.filter(
    (line) => (line.level === 'error' || line.level === 'fatal') && line.text.trim() !== '' && isKnownLine(line),
  );
  const best = telling.find((line) => !VAGUE.test(line.text)) ?? telling[0];
  return {
    code: 'FFMPEG_FAILED',
    message:
      best === undefined
        ? `ffmpeg failed (${ending.signal ?? `exit code ${ending.code}`}).`
        : `ffmpeg failed: ${best.text
            .trim()
            .slice(0, 300)
            .replace(/(?<![.!?])$/, '.')}`,
    fix: 'The log of the job tells more.',
  };
}

function failure(rule: FailureRule, match: RegExpExecArray, input: string | undefined): Failure {
  const message = rule.message
    .replace(/ \$input/, input === undefined ? '' : ` ${input}`)
    .replace(/\$(\d)/g, (_all, n: string) => match[Number(n)] ?? '');
  return { code: rule.code, message, ...(rule.fix === undefined ? {} : { fix: rule.fix }) };
}

/** Numbers of Linux, as bwrap and timeout report them: 128 + number. */
const SIGHUP = 129;
const SIGINT = 130;
const SIGTERM = 143;
const SIGKILL = 137;
const SIGSEGV = 139;
const SIGXCPU = 152;
const SIGXFSZ = 153;
/** ffmpeg's own, at its fourth signal: the kernel sends SIGXCPU every second, and an expression heeds none. */
const HARD_EXIT = 123;

/** A kill that the service did not ask for comes from a limit, a polite end from whoever stops the machine. */
function killedBy(ending: Ending): Failure | undefined {
  const is = (name: NodeJS.Signals, code: number): boolean => ending.signal === name || ending.code === code;
  const politely = ending.lines.some((line) => /^Exiting normally, received signal 24\./.test(line.text));
  if (politely || ending.code === HARD_EXIT || is('SIGXCPU', SIGXCPU))
    return {
      code: 'TIMEOUT',
      message: 'The conversion used up the processor time that a job may take.',
      fix: 'Convert a shorter part (ss, t), use a faster preset or codec, or ask the operator for a longer limit.',
    };
  if (is('SIGKILL', SIGKILL))
    return {
      code: 'FFMPEG_FAILED',
      message: 'ffmpeg was killed by something other than the service, most likely for want of memory.',
      fix: 'Use a smaller picture, fewer inputs or a faster preset; or ask the operator to look at the memory.',
    };
  const toldToEnd = ending.lines.some((line) => /^Exiting normally, received signal (?:1|2|15)\./.test(line.text));
  if (toldToEnd || is('SIGTERM', SIGTERM) || is('SIGINT', SIGINT) || is('SIGHUP', SIGHUP))
    return {
      code: 'WORKER_LOST',
      message: 'ffmpeg was told to end by something other than the service: the machine may be shutting down.',
      fix: 'Retry the job.',
    };
  if (is('SIGXFSZ', SIGXFSZ))
    return {
      code: 'FFMPEG_FAILED',
      message: 'The output grew past the size that one file may have.',
      fix: 'Lower the bit rate or the length of the output, or ask the operator for a higher limit.',
    };
  if (is('SIGSEGV', SIGSEGV))
    return {
      code: 'FFMPEG_FAILED',
      message: 'ffmpeg crashed on this input or these options.',
      fix: 'Try without unusual options, or another codec; a damaged input can be the reason too.',
    };
  return undefined;
}
