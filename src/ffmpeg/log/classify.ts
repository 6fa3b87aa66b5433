import type { Failure } from '../../domain/failure.ts';
import { hint, RETRY_JOB } from '../../domain/hint.ts';
import type { Policy } from '../../domain/policy.ts';
import { sizeText, spanText } from '../../domain/quantity.ts';
import type { ProcessEnd } from '../process/launch.ts';
import {
  ENCODER_OUT_OF_MEMORY,
  FAILURE_RULES,
  type FailureRule,
  INPUT_COMPLAINT,
  LARGE_FILE_FIX,
} from './failure-rules.ts';
import { isAllowedLogLine } from './log-allowlist.ts';
import type { LogLine } from './log-line.ts';

/** Says little by itself: another error line, if there is one, tells more. */
const VAGUE =
  /^(?:Conversion failed!|Error (?:re)?initializing filters|Error while processing the decoded|Failed to inject|Task finished|Terminating thread)/;

/**
 * Whether a line may tell why a pass failed. Metadata is logged at level info, and its further lines, which a file
 * words itself, bear no level at all, or one of the file's choice (`believable`); so of those without only those count that came before ffmpeg spoke
 * (`begun`): the words of bwrap, prlimit, timeout and the loader. And those of an encoder out of memory, which decide
 * only beside a line that no file can word.
 */
export const isComplaint = ({ level, text }: LogLine, begun: boolean): boolean =>
  level === undefined
    ? !begun || ENCODER_OUT_OF_MEMORY.test(text)
    : level !== 'info' || text.startsWith('Exiting normally');

/** How a pass ended, and what ffmpeg had to say. */
export interface PassEnd extends ProcessEnd {
  /** The complaints among its lines, in their order. */
  readonly lines: readonly LogLine[];
}

/**
 * The name of a tag may hold a whole line, level and all; colours it cannot hold. Lines without them count only where
 * there are no others: of a build that does not colour its log.
 */
const believable = (lines: readonly LogLine[]): readonly LogLine[] =>
  lines.some(({ isColored }) => isColored)
    ? lines.filter(({ isColored, level }) => isColored || level === undefined)
    : lines;

/** ffmpeg reports success where a seek leads past the end; a file without frames is no success to the caller. */
export const NOTHING_WRITTEN: Failure = {
  code: 'FFMPEG_FAILED',
  message: 'Nothing was written: the part that was asked for holds no frames.',
  fix: 'Check ss, t, to and frames against the length of the input.',
};

/**
 * Whether ffmpeg gave up on the way and said so in words alone: releases up to 5 close what they have when a filter
 * fails, for want of memory say, and report success.
 */
export const filteringFailed = (lines: readonly LogLine[]): boolean =>
  believable(lines).some(({ level, text }) => level === 'error' && text.startsWith('Error while filtering: '));

/**
 * Why a pass failed, in words for the caller: no host path, nothing that a file holds. Pure. `policy`: what the kernel
 * held it to.
 */
export function classifyFailure(ending: PassEnd, policy: Policy = {}): Failure {
  const bySignal = killedBy(ending, policy);
  if (bySignal !== undefined) return bySignal;
  const lines = believable(ending.lines);
  const first = (shape: RegExp): RegExpExecArray | undefined => {
    for (const { text } of lines) {
      const match = shape.exec(text);
      if (match !== null) return match;
    }
    return undefined;
  };
  for (const rule of FAILURE_RULES) {
    const match = first(rule.shape);
    if (match === undefined || (rule.beside !== undefined && first(rule.beside) === undefined)) continue;
    return failure(rule, match, first(INPUT_COMPLAINT)?.[1], policy);
  }
  const telling = lines.filter(
    (line) => (line.level === 'error' || line.level === 'fatal') && line.text.trim() !== '' && isAllowedLogLine(line),
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

function failure(rule: FailureRule, match: RegExpExecArray, input: string | undefined, policy: Policy): Failure {
  const message = rule.message
    .replace(/ \$input/, input === undefined ? '' : ` ${input}`)
    .replace(/\$(\d)/g, (_all, n: string) => match[Number(n)] ?? '');
  const limits = rule.limits === undefined ? '' : limitsText(rule.limits, policy);
  return {
    code: rule.code,
    message: limits === '' ? message : message.replace(/\.$/, `${limits}.`),
    ...(rule.fix === undefined ? {} : { fix: rule.fix }),
  };
}

const TEXTS = {
  output: sizeText,
  pixels: (count: number) => `${count} of a picture`,
  memory: sizeText,
  processes: (count: number) => `${count} threads`,
  cpu: spanText,
};

/** ` (limit "memory": 4 GiB)`; '' where the policy has none of them. */
function limitsText(names: readonly (keyof typeof TEXTS)[], policy: Policy): string {
  const held = names.flatMap((name) => {
    const most = policy[name];
    return most === undefined ? [] : [`"${name}": ${TEXTS[name](most)}`];
  });
  return held.length === 0 ? '' : ` (limit ${held.join(', ')})`;
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

/** ffmpeg's own, where it closed its file because of a signal. Its line about it a tag could word, its code none. */
const POLITE_EXIT = 255;
const endedPolitely = ({ code, lines }: PassEnd, ...signals: readonly string[]): boolean =>
  code === POLITE_EXIT &&
  lines.some(({ text }) => signals.some((n) => text === `Exiting normally, received signal ${n}.`));

/** A kill that the service did not ask for comes from a limit, a polite end from whoever stops the machine. */
function killedBy(ending: PassEnd, policy: Policy): Failure | undefined {
  const is = (name: NodeJS.Signals, code: number): boolean => ending.signal === name || ending.code === code;
  const politely = endedPolitely(ending, '24');
  if (politely || ending.code === HARD_EXIT || is('SIGXCPU', SIGXCPU))
    return {
      code: 'TIMEOUT',
      message: `The conversion used up the processor time that a job may take${limitsText(['cpu'], policy)}.`,
      fix: 'Convert a shorter part (ss, t), use a faster preset or codec, or ask the operator for a longer limit.',
    };
  if (is('SIGKILL', SIGKILL))
    return {
      code: 'FFMPEG_FAILED',
      message: 'ffmpeg was killed by something other than the service, most likely for want of memory.',
      fix: 'Use a smaller picture, fewer inputs or a faster preset; or ask the operator to look at the memory.',
    };
  const toldToEnd = endedPolitely(ending, '1', '2', '15');
  if (toldToEnd || is('SIGTERM', SIGTERM) || is('SIGINT', SIGINT) || is('SIGHUP', SIGHUP))
    return {
      code: 'WORKER_LOST',
      message: 'ffmpeg was told to end by something other than the service: the machine may be shutting down.',
      fix: hint`${RETRY_JOB}.`,
    };
  if (is('SIGXFSZ', SIGXFSZ))
    return {
      code: 'LIMIT_EXCEEDED',
      message: `The output grew past the size that one file may have${limitsText(['output'], policy)}.`,
      fix: LARGE_FILE_FIX,
    };
  if (is('SIGSEGV', SIGSEGV))
    return {
      code: 'FFMPEG_FAILED',
      message: 'ffmpeg crashed on this input or these options.',
      fix: 'Try without unusual options, or another codec; a damaged input can be the reason too.',
    };
  return undefined;
}
