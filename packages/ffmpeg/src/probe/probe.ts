import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { classifyFailure, endedBySignal } from '../log/classify.ts';
import { type LogLine, parseLogLine } from '../log/log-line.ts';
import { replaceLogicalNames } from '../log/logical-input-names.ts';
import { type LaunchedProcess, launch, type ProcessEnd } from '../process/launch.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import { withTemporaryFolder } from '../process/work-root.ts';
import { confineCommand, LAST_RESORT_SECONDS, type PinnedMount } from '../sandbox/confine.ts';
import type { KernelLimits } from '../sandbox/limits.ts';
import { pinInputs } from '../sandbox/pinned-files.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { prepareWorkFolder } from '../sandbox/work-folder.ts';
import { explainUnreadable, isUnreadable } from './file-content.ts';
import type { ProbePlan } from './plan-probe.ts';
import { type ClipDetails, parseClipAnswer, parseProbeAnswer } from './read-answer.ts';
import { lengthSearch, withFoundLength } from './unstated-length.ts';

export interface ProbeRun {
  readonly plan: ProbePlan;
  /** The file, which is mounted under the logical name of the plan. */
  readonly mount: Mount;
  /** Absolute, with symlinks resolved. */
  readonly ffprobePath: string;
  readonly sandbox: Sandbox;
  /** A private folder. Absolute. */
  readonly workRoot: string;
  readonly timeoutSeconds: number;
  /** Present if the probe goes on when its time is over. Default: it ends with TIMEOUT. */
  readonly late?: LateProbe | undefined;
  /** Stops the probe, which then throws the reason of the abort. */
  readonly signal: AbortSignal;
}

/** How a probe goes on when its time is over. Its limit of processor time stays the same: it waits for a disk or for other programs. */
export interface LateProbe {
  /** How much longer it may take, in seconds. */
  readonly seconds: number;
  /** Called when the time is over. */
  readonly onLate: () => void;
}

export type ProbeOutcome =
  | {
      readonly ok: true;
      readonly info: MediaInfo;
      /** Present if `clipProbePlan` or `countingPlan` made the plan. */
      readonly clip?: ClipDetails;
    }
  | {
      readonly ok: false;
      readonly failure: Failure;
      /** Present if a signal ended ffprobe before it had read the file. */
      readonly wasKilled?: true;
    };

const GIB = 1024 ** 3;

/** The limits of a probe. It needs one thread and one decoded frame at a time, and writes no file. */
const limits = (timeoutSeconds: number): KernelLimits => ({
  addressSpaceBytes: 2 * GIB,
  cpuSeconds: Math.ceil(timeoutSeconds),
  fileSizeBytes: 0,
  openFiles: 256,
  threads: 64,
});

/**
 * The maximum length of ffprobe's output: enough for 10,000 streams with tags. Without a limit, a hostile file can make the output endless.
 */
const MAX_ANSWER_LENGTH = 16 * 1024 * 1024;
const MAX_LINES = 100;

/**
 * Probes one file, and its end if the plan asks for it and the header states no length. Resolves when ffprobe has exited. Throws only if the
 * machine fails, or after an abort.
 */
export function runProbe(p: ProbeRun): Promise<ProbeOutcome> {
  return withTemporaryFolder(p.workRoot, async (dir) => {
    try {
      const begunMs = performance.now();
      await mkdir(join(dir, 'in'));
      await prepareWorkFolder(dir, [p.mount], p.sandbox);
      const outcome = await run(p, dir);
      if (!outcome.ok) return { ...outcome, ...failed(p, outcome.failure) };
      const search = lengthSearch(p.plan, outcome.info);
      const timeoutSeconds = p.timeoutSeconds - (performance.now() - begunMs) / 1000;
      if (search === undefined || timeoutSeconds < 1) return outcome;
      const found = await run({ ...p, plan: search, timeoutSeconds, late: undefined }, dir);
      return found.ok ? { ...outcome, info: withFoundLength(outcome.info, found.clip) } : outcome;
    } catch (error) {
      if (error instanceof JobFailed) return failed(p, error.failure);
      throw error;
    }
  });
}

const failed = ({ plan }: ProbeRun, failure: Failure) => ({
  ok: false as const,
  failure: replaceLogicalNames(failure, [plan]),
});

async function run(p: ProbeRun, dir: string): Promise<ProbeOutcome> {
  p.signal.throwIfAborted();
  const answer: string[] = [];
  const lines: LogLine[] = [];
  let length = 0;
  let running: LaunchedProcess | undefined;
  let cause: 'aborted' | 'timeout' | 'too large' | undefined;
  const stop = (reason: typeof cause): void => {
    cause ??= reason;
    void running?.kill();
  };
  const out = (piece: string): void => {
    length += piece.length;
    if (length > MAX_ANSWER_LENGTH) stop('too large');
    else answer.push(piece);
  };
  const err = (line: string): void => {
    if (lines.length < MAX_LINES) lines.push(parseLogLine(line));
  };
  const abort = (): void => stop('aborted');
  p.signal.addEventListener('abort', abort, { once: true });
  let timer = setTimeout(() => {
    if (p.late === undefined) return stop('timeout');
    timer = setTimeout(() => stop('timeout'), p.late.seconds * 1000);
    p.late.onLate();
  }, p.timeoutSeconds * 1000);
  let end: ProcessEnd;
  try {
    const inputs = await pinInputs(dir, [p.mount], p.sandbox);
    try {
      p.signal.throwIfAborted();
      const listen = { out: { push: out, end: () => undefined }, err: new LineSplitter(err) };
      running = launch(command(p, dir, inputs.mounts), listen);
    } finally {
      await inputs.close();
    }
    end = await running.ended;
  } finally {
    clearTimeout(timer);
    p.signal.removeEventListener('abort', abort);
  }
  if (cause === 'aborted') throw p.signal.reason;
  if (cause === 'timeout') return { ok: false, failure: probeTimedOut(wallSeconds(p)) };
  if (exceededCpuTime(end)) return { ok: false, failure: probeTimedOut(p.timeoutSeconds) };
  if (cause === 'too large') return { ok: false, failure: PROBE_OUTPUT_TOO_LARGE };
  if (couldNotStart(end)) throw new Error(`ffprobe could not be started (exit code ${end.code}).`);
  const wasKilled = endedBySignal({ ...end, lines });
  if (end.code !== 0 && wasKilled) return { ok: false, failure: probeFailure(end, lines), wasKilled };
  if (end.code !== 0) return { ok: false, failure: await unreadable(p, probeFailure(end, lines)) };
  const text = answer.join('');
  const hasClip = p.plan.argv.includes('-show_data_hash');
  const found = hasClip ? parseClipAnswer(text) : { info: parseProbeAnswer(text) };
  if (found?.info === undefined) return { ok: false, failure: PROBE_FAILED };
  const failure = await nothingRecognised(p, found.info, lines);
  return failure === undefined ? { ok: true, ...found, info: found.info } : { ok: false, failure };
}

/**
 * The failure of a file in which ffprobe found nothing, or only a video without a size, as in each file that ends in `.png`.
 * undefined: it found something, or the file does not show why not.
 */
async function nothingRecognised(
  p: ProbeRun,
  { streams }: MediaInfo,
  lines: readonly LogLine[],
): Promise<Failure | undefined> {
  if (streams.some(({ type, width }) => type !== 'video' || width !== undefined)) return undefined;
  const size = lines.flatMap(({ text }) => PICTURE_SIZE.exec(text)?.[1] ?? [])[0];
  if (size !== undefined)
    return {
      code: 'LIMIT_EXCEEDED',
      message: `The input ${p.plan.logical} is ${size} pixels, which is more than ffmpeg reads.`,
      fix: 'Send a smaller image or video.',
    };
  const failure = await unreadable(p, PROBE_FAILED);
  return failure === PROBE_FAILED ? undefined : failure;
}

const PICTURE_SIZE = /^Picture size (\d+x\d+) (?:is invalid|exceeds specified max pixel count)/;

/** Adds to the message of a failure what the file is, unless the request sets the format. */
async function unreadable({ plan, mount }: ProbeRun, failure: Failure): Promise<Failure> {
  if (!isUnreadable(failure) || plan.argv.includes('-f')) return failure;
  const { logical, path } = plan;
  return explainUnreadable(failure, { mount, logical, path });
}

/** The exit codes of timeout(1) and bwrap for a program that is missing or cannot start. ffprobe has no such exit codes. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/** Whether ffprobe did not start: it is missing, or one of its libraries is. */
export const couldNotStart = ({ code }: ProcessEnd): boolean => code === NOT_FOUND || code === NOT_EXECUTABLE;

/** True if ffprobe exceeded its processor time: it ended by SIGXCPU, which bwrap reports as 128 + 24. */
const exceededCpuTime = ({ code, signal }: ProcessEnd): boolean => signal === 'SIGXCPU' || code === 152;

const wallSeconds = ({ timeoutSeconds, late }: ProbeRun): number => timeoutSeconds + (late?.seconds ?? 0);

const command = (p: ProbeRun, dir: string, mounts: readonly PinnedMount[]) =>
  confineCommand({
    sandbox: p.sandbox,
    program: p.ffprobePath,
    argv: p.plan.argv,
    dir,
    writable: [],
    mounts,
    limits: limits(p.timeoutSeconds),
    lastResortSeconds: Math.ceil(wallSeconds(p)) + LAST_RESORT_SECONDS,
  });

const probeTimedOut = (seconds: number): Failure => ({
  code: 'TIMEOUT',
  message: `The file could not be probed within ${seconds} s.`,
  fix: 'Retry when the machine is less busy, or send a smaller "probesize", so that less is read. The file may also be damaged.',
});

const PROBE_OUTPUT_TOO_LARGE: Failure = {
  code: 'INPUT_INVALID',
  message: 'The file has too many streams, chapters or tags to probe.',
};

const PROBE_FAILED: Failure = {
  code: 'INPUT_INVALID',
  message: 'ffprobe could not read this file: it is incomplete or damaged, or in a form that ffprobe does not know.',
  fix: 'Check that the file plays and is complete.',
};

export function probeFailure(end: ProcessEnd, lines: readonly LogLine[]): Failure {
  if (lines.some(({ text }) => text.startsWith('Unknown input format')))
    return { code: 'UNSUPPORTED', message: 'The installed ffprobe does not support the format in "f".' };
  const failure = classifyFailure({ ...end, lines });
  return failure.code === 'INPUT_INVALID' || failure.code === 'UNSUPPORTED' ? failure : PROBE_FAILED;
}
