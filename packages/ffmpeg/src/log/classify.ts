import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import { askOperator, type Hint, hint, READ_JOB_LOG, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { durationText, sizeLimitText } from '@telecine/contract/domain/quantity.ts';
import type { ProcessEnd } from '../process/launch.ts';
import { ENCODER_LIBRARY_LINE } from './causes/encoder-causes.ts';
import { INPUT_COMPLAINT } from './causes/input-causes.ts';
import { LARGE_FILE_FIX } from './causes/machine-causes.ts';
import type { FailureRule } from './failure-rule.ts';
import { FAILURE_RULES } from './failure-rules.ts';
import { isAllowedLogLine, isEncoderCause, isFilterCause, isMuxerCause } from './log-allowlist.ts';
import type { LogLine } from './log-line.ts';

/** Returns text such as `The format mp4`, or `The format ipod (.m4a)` if the extension differs. It begins a message. */
export const formatText = ({ muxer, extension }: { readonly muxer: string; readonly extension: string }): string => {
  if (muxer === '') return 'The output format';
  return `The format ${muxer}${extension === '' || extension === muxer ? '' : ` (.${extension})`}`;
};

/**
 * Matches error lines that explain little, such as `Conversion failed!`. A message uses such a line only if there is no other error line.
 */
const VAGUE =
  /^(?:Conversion failed!|Error (?:re)?initializing filters|Error while processing the decoded|Failed to inject|Task finished|Terminating thread)/;

/** Matches errors in single packets and frames, after which ffmpeg continues. */
const DECODING =
  /^(?:Error while decoding stream|Error submitting (?:a )?packet to (?:the )?decoder|Decoding error|Invalid data found|corrupt |Header missing|Invalid NAL unit size|Error splitting)/;

/**
 * True if a line may explain why a pass failed: an error or a warning. `begun`: ffmpeg has logged a line.
 *
 * A line without a level counts only before ffmpeg's first line, where it comes from bwrap, prlimit, timeout or the loader. A later line
 * without a level may be metadata, whose continuation lines have no level. Error lines of x264 and x265 have no level either, and always
 * count, because their rules also require a coloured line of ffmpeg.
 */
export const isComplaint = ({ level, text }: LogLine, begun: boolean): boolean =>
  level === undefined
    ? !begun || ENCODER_LIBRARY_LINE.test(text)
    : level !== 'info' || text.startsWith('Exiting normally');

/** The end of a pass, with the log lines that may explain it. */
export interface PassEnd extends ProcessEnd {
  /** The lines of the ffmpeg log for which `isComplaint` is true, in order. */
  readonly lines: readonly LogLine[];
  /**
   * True if this is the second pass and the first pass wrote no frames. Since ffmpeg 6, libvpx and libaom write no frames in a first pass.
   */
  readonly isAfterEmptyPass?: boolean;
}

/** The output that a pass should write. */
export interface PassOutput {
  readonly muxer: string;
  /** The extension of the output path, without the dot. '': there is none. */
  readonly extension: string;
  /** The codecs of the output streams. Empty until ffmpeg has printed the stream mapping. */
  readonly codecs: readonly string[];
  readonly encoders: ReadonlySet<string>;
}

const UNKNOWN_OUTPUT: PassOutput = { muxer: '', extension: '', codecs: [], encoders: new Set() };

/**
 * Drops lines that a media file may have forged. The name of a tag can imitate a log line with its level, but not the colour codes that
 * ffmpeg adds. If no line has a colour, this build of ffmpeg prints no colours, and all lines count.
 */
export const trustedLines = (lines: readonly LogLine[]): readonly LogLine[] =>
  lines.some(({ isColored }) => isColored)
    ? lines.filter(({ isColored, level }) => isColored || level === undefined)
    : lines;

type MaybeAnalysis = Partial<Pick<Plan, 'analysis'>>;

/** Returns the beginning of a message: `Nothing was written`, or for an analysis `Nothing was measured`. */
export const nothingDone = ({ analysis }: MaybeAnalysis): string =>
  `Nothing was ${analysis === undefined ? 'written' : 'measured'}`;

/** The failure of an output without frames. If `ss` is after the end of the input, ffmpeg itself reports success. */
export const withoutFrames = (plan: MaybeAnalysis): Failure => ({
  code: 'FFMPEG_FAILED',
  message: `${nothingDone(plan)}: the requested part contains no frames.`,
  fix: 'Compare ss, t, to and frames with the duration of the input.',
});

/** True if a filter failed although ffmpeg exited with code 0, as up to ffmpeg 5: the output is unfinished. */
export const filteringFailed = (lines: readonly LogLine[]): boolean =>
  trustedLines(lines).some(({ level, text }) => level === 'error' && text.startsWith('Error while filtering: '));

/** True if ffmpeg could not write the end of the output, although it exited with code 0 (releases up to 6.0). */
export const writingFailed = (lines: readonly LogLine[]): boolean =>
  trustedLines(lines).some(({ level, text }) => level === 'error' && UNWRITTEN.test(text));

const UNWRITTEN = /^Error (?:writing trailer of|closing file) /;

/** True if ffmpeg could not open an encoder, as in a second pass after a first pass without frames. */
const cannotOpenEncoder = (lines: readonly LogLine[]): boolean =>
  trustedLines(lines).some(({ text }) => text.includes('Error while opening encoder'));

/**
 * Explains to the client why a pass failed, by its log. The explanation contains no host paths and no text from the media. Pure.
 *
 * @param policy The limits that the kernel enforced, for messages.
 * @param inputs The names of all inputs in the argv.
 */
export function classifyFailure(
  end: PassEnd,
  policy: ClientLimits = {},
  output = UNKNOWN_OUTPUT,
  inputs: readonly string[] = [],
): Failure {
  const bySignal = killedBy(end, policy);
  if (bySignal !== undefined) return bySignal;
  if (end.isAfterEmptyPass === true && cannotOpenEncoder(end.lines)) return withoutFrames({});
  const lines = trustedLines(end.lines);
  const found = (shape: RegExp, by?: RegExp) => {
    for (const [at, { text, component = '' }] of lines.entries()) {
      const match = by?.test(component) === false ? null : shape.exec(text);
      if (match !== null) return { match, component, before: lines.slice(0, at) };
    }
    return undefined;
  };
  for (const rule of FAILURE_RULES) {
    const line = found(rule.shape, rule.component);
    if (line === undefined || (rule.requires !== undefined && found(rule.requires) === undefined)) continue;
    if (rule.exitCode !== undefined && rule.exitCode !== end.code) continue;
    const { component, before } = line;
    const facts = { input: found(INPUT_COMPLAINT)?.match[1], component, before, output, inputs };
    return failure(rule, line.match, facts, policy);
  }
  const errorLines = lines.filter(
    (line) => (line.level === 'error' || line.level === 'fatal') && line.text.trim() !== '' && isAllowedLogLine(line),
  );
  // Prefer errors after the decoding errors: ffmpeg continues after a decoding error, so a later error says why it stopped.
  const best =
    errorLines.find(({ text }) => !VAGUE.test(text) && !DECODING.test(text)) ??
    errorLines.find(({ text }) => !VAGUE.test(text)) ??
    errorLines[0];
  return {
    code: 'FFMPEG_FAILED',
    message:
      best === undefined
        ? `ffmpeg failed (${end.signal ?? `exit code ${end.code}`}).`
        : `ffmpeg failed: ${best.text
            .trim()
            .slice(0, 300)
            .replace(/(?<![.!?])$/, '.')}`,
    fix: hint`${READ_JOB_LOG} for details.`,
  };
}

/** What a message may contain besides the groups of its rule. */
interface FailureFacts {
  readonly input: string | undefined;
  readonly inputs: readonly string[];
  /** What logged the line of the rule. */
  readonly component: string;
  /** The lines before the line of the rule. */
  readonly before: readonly LogLine[];
  readonly output: PassOutput;
}

/**
 * The first of the lines that a filter, an encoder or the muxer logged together last, such as before a list of what it takes. A decoder or demuxer
 * can have the name of an encoder or muxer, but it logs earlier.
 */
function reasonText({ before, output }: FailureFacts, by: string | undefined): string {
  const isCause = (one: LogLine): boolean => {
    if (by === 'filter') return isFilterCause(one);
    return by === 'encoder' ? isEncoderCause(one, output.encoders) : isMuxerCause(one, output.muxer);
  };
  const last = before.findLastIndex(isCause);
  const first = before.findLastIndex((one, at) => at < last && !isCause(one)) + 1;
  // A sentence that ends with a colon begins a list.
  return last < 0 ? '' : `: ${before[first]?.text.trim().replace(/\. [^.]*:$|[.:]$/, '')}`;
}

function failure(rule: FailureRule, match: RegExpExecArray, facts: FailureFacts, policy: ClientLimits): Failure {
  const { input, component, output, inputs } = facts;
  const filled = (text: string): string =>
    text
      .replace(/\$(\d)/g, (_all, n: string) => match[Number(n)]?.trim() ?? '')
      .replace('$component', () => component)
      .replace('$format', () => formatText(output))
      .replace('$codecs', () => output.codecs.join(', ') || 'the codecs of its streams');
  const filledFix = (fix: Hint): Hint =>
    JSON.parse(JSON.stringify(fix), (_key, value) => (typeof value === 'string' ? filled(value) : value));
  let named = match.groups?.['input'];
  const [only, ...others] = inputs;
  const message = filled(rule.message)
    .replace('$anInput', () => {
      if (only === undefined || others.length > 0) return 'An input';
      named = only;
      return `The input ${only}`;
    })
    .replace(' $input', () => {
      named ??= input;
      return named === undefined ? '' : ` ${named}`;
    })
    .replace(/\$(filter|encoder|muxer)Reason/, (_all, by: string) => reasonText(facts, by))
    .replace('$limits', () => limitsText(rule.limits ?? [], policy));
  const about = {
    ...(named !== undefined && { input: named }),
    ...(rule.isNotOpened === true && { isNotOpened: true }),
    ...(rule.isNotUtf8 === true && { isNotUtf8: true as const }),
    ...(rule.isUnlike === true && { isUnlike: true as const }),
  };
  return {
    code: rule.code,
    message,
    ...(rule.fix === undefined ? {} : { fix: filledFix(rule.fix) }),
    ...(Object.keys(about).length > 0 && { about }),
  };
}

const TEXTS = {
  output: sizeLimitText,
  pixels: (count: number) => `${count} in a frame`,
  memory: sizeLimitText,
  processes: (count: number) => `${count} threads`,
  cpu: durationText,
};

/** Prints limits as ` (limit "memory": 4.29 GB (4 GiB))`. Empty if the client has none of these limits. */
function limitsText(names: readonly (keyof typeof TEXTS)[], policy: ClientLimits): string {
  const limits = names.flatMap((name) => {
    const limit = policy[name];
    return limit === undefined ? [] : [`"${name}": ${TEXTS[name](limit)}`];
  });
  return limits.length === 0 ? '' : ` (limit ${limits.join(', ')})`;
}

/** The failure of a conversion whose processes together exceeded the memory limit. */
export const ranOutOfMemory = (policy: ClientLimits): Failure => ({
  code: 'LIMIT_EXCEEDED',
  message: `The conversion needed more memory than a job may use${limitsText(['memory'], policy)}.`,
  fix: 'Use a smaller frame size, fewer inputs or a faster preset, or ask the operator for a higher limit.',
});

/**
 * The exit code of ffmpeg after its fourth signal. At the limit of processor time, the kernel sends SIGXCPU every second, and ffmpeg does
 * not react to it during a long expression.
 */
const HARD_EXIT = 123;

/**
 * The exit code of ffmpeg if it closed its output after a signal. Media can forge the log line about the signal, but not the exit code.
 */
const GRACEFUL_EXIT = 255;
const exitedGracefully = ({ code, lines }: PassEnd, ...signals: readonly string[]): boolean =>
  code === GRACEFUL_EXIT &&
  lines.some(({ text }) => signals.some((n) => text === `Exiting normally, received signal ${n}.`));

/** True if a signal ended a pass, so that the log does not say why. */
export const endedBySignal = (end: PassEnd): boolean => killedBy(end, {}) !== undefined;

/** The signal numbers on Linux. bwrap and timeout report a signal as exit code 128 plus its number. */
const NUMBERS = {
  ...{ SIGHUP: 1, SIGINT: 2, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11 },
  ...{ SIGTERM: 15, SIGXCPU: 24, SIGXFSZ: 25, SIGSYS: 31 },
};

/** Explains a signal that the service did not send: the kernel's at a limit, or the system's at a shutdown. undefined: no signal. */
function killedBy(end: PassEnd, policy: ClientLimits): Failure | undefined {
  const is = (name: keyof typeof NUMBERS): boolean => end.signal === name || end.code === 128 + NUMBERS[name];
  if (exitedGracefully(end, '24') || end.code === HARD_EXIT || is('SIGXCPU'))
    return {
      code: 'TIMEOUT',
      message: `The conversion exceeded the processor time of a job${limitsText(['cpu'], policy)}.`,
      fix: 'Convert a shorter part (ss, t), use a faster preset or codec, or ask the operator for a higher limit.',
    };
  if (is('SIGKILL'))
    return {
      code: 'FFMPEG_FAILED',
      message: 'ffmpeg was killed from outside the service, most likely because the machine ran out of memory.',
      fix: hint`Use a smaller frame size, fewer inputs or a faster preset, or ${askOperator('check the memory')}.`,
    };
  if (exitedGracefully(end, '1', '2', '15') || is('SIGTERM') || is('SIGINT') || is('SIGHUP'))
    return {
      code: 'WORKER_LOST',
      message: 'ffmpeg was stopped from outside the service; the machine may be shutting down.',
      fix: hint`${RETRY_JOB}.`,
    };
  if (is('SIGXFSZ'))
    return {
      code: 'LIMIT_EXCEEDED',
      message: `The output exceeded the maximum file size${limitsText(['output'], policy)}.`,
      fix: LARGE_FILE_FIX,
    };
  if (is('SIGSYS'))
    return {
      code: 'FFMPEG_FAILED',
      message: 'The sandbox ended ffmpeg, because it made a system call that no conversion needs.',
      fix: hint`Do not send this input again. If it is an ordinary file, ${askOperator('report it')}.`,
    };
  // Libraries abort: LAME does if samples are not numbers.
  if (is('SIGSEGV') || is('SIGABRT'))
    return {
      code: 'FFMPEG_FAILED',
      message: 'ffmpeg crashed on this input or these options.',
      fix: 'Try fewer options or another codec. A damaged input can also be the cause.',
    };
  return undefined;
}

/**
 * Matches the line about a filtergraph that ended without a frame. Since ffmpeg 7, ffmpeg then still opens the encoder, which may fail.
 */
const NO_FRAMES = /^No filtered frames for output stream\b/;
/** Captures the output stream from the component of a filtergraph: `0:1` in `vf#0:1`, and in `vo0->#0:1` of a complex graph. */
const GRAPH = /(?:^[av]f#|->#)(\d+:\d+)$/;
/** What ffmpeg logs about an encoder whose stream ended before the first frame. */
const NOT_OPENED = 'Could not open encoder before EOF';
/** Captures the index of the output stream or output that a component writes: `vost#0:1/mjpeg`, `out#0/gif`. */
const WRITER = /^(?:[vas]ost#(\d+:\d+)|out#(\d+))(?:\/|$)/;

/**
 * Returns the index of the output that failed only because one of its streams had no frame. Since ffmpeg 7, the encoder of such a stream
 * gets guessed settings, which many encoders and muxers reject. undefined: the pass failed for another reason.
 */
export function emptyOutput(lines: readonly LogLine[]): number | undefined {
  const empty = new Set<string>();
  let isFirstError = true;
  for (const { level, text, component = '' } of trustedLines(lines)) {
    const graph = NO_FRAMES.test(text) ? GRAPH.exec(component)?.[1] : undefined;
    if (graph !== undefined) empty.add(graph).add(graph.replace(/:.*/, ''));
    if (level !== 'error' && level !== 'fatal') continue;
    const [, stream, output] = WRITER.exec(component) ?? [];
    const writer = stream ?? output;
    if (isFirstError && stream !== undefined && text === NOT_OPENED) return Number.parseInt(stream, 10);
    // An error before all lines about missing frames may be the reason why there are no frames.
    if (empty.size === 0) return undefined;
    if (writer !== undefined) return empty.has(writer) ? Number.parseInt(writer, 10) : undefined;
    isFirstError = false;
  }
  return undefined;
}
