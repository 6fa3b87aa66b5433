import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, JobFailed } from '../../domain/failure.ts';
import type { MediaInfo } from '../../domain/media-info.ts';
import type { Mount } from '../../domain/plan.ts';
import { type LogLine, parseLogLine } from '../log/log-line.ts';
import { replaceLogicalNames } from '../log/logical-input-names.ts';
import { type End, type Launched, launch } from '../process/launch.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import { withTemporaryFolder } from '../process/temporary-folder.ts';
import { type HeldMount, sandboxed } from '../sandbox/confine.ts';
import type { Limits } from '../sandbox/limits.ts';
import { holdInputs } from '../sandbox/pinned-inputs.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { prepareFolder } from '../sandbox/work-folder.ts';
import type { ProbePlan } from './plan-probe.ts';
import { NO_ANSWER, probeFailure, SAYS_TOO_MUCH, tookTooLong } from './probe-failure.ts';
import { readAnswer } from './read-answer.ts';

/** All that running a probe takes. */
export interface Probing {
  readonly plan: ProbePlan;
  /** The file, under the plan's logical name. */
  readonly mount: Mount;
  /** Absolute, symlinks resolved. */
  readonly ffprobePath: string;
  readonly sandbox: Sandbox;
  readonly timeoutSeconds: number;
  /** Ends it; `probe` then throws its reason. */
  readonly signal: AbortSignal;
}

export type ProbeOutcome =
  | { readonly ok: true; readonly info: MediaInfo }
  | { readonly ok: false; readonly failure: Failure };

const GIB = 1024 ** 3;

/** One thread and one decoded picture at a time: far less than a conversion needs. It writes no file. */
const limits = (timeoutSeconds: number): Limits => ({
  addressSpaceBytes: 2 * GIB,
  cpuSeconds: Math.ceil(timeoutSeconds),
  fileSizeBytes: 0,
  openFiles: 256,
  threads: 64,
});

/** Beyond the probe's own time: the service, not `timeout`, is to end one that takes too long. */
const LAST_RESORT_SECONDS = 5;

/** Characters of an answer. 10,000 streams with their tags need about as much; a file can be made to give endless. */
const LONGEST_ANSWER = 16 * 1024 * 1024;
const MOST_LINES = 100;

/** Asks ffprobe about one file. Resolves once nothing of it is left; throws where the machine itself fails. */
export function probe(p: Probing): Promise<ProbeOutcome> {
  return withTemporaryFolder(async (dir) => {
    try {
      await mkdir(join(dir, 'in'));
      await prepareFolder(dir, [p.mount], p.sandbox);
      const outcome = await run(p, dir);
      return outcome.ok ? outcome : named(p, outcome.failure);
    } catch (error) {
      if (error instanceof JobFailed) return named(p, error.failure);
      throw error;
    }
  });
}

const named = ({ plan }: Probing, failure: Failure): ProbeOutcome => ({
  ok: false,
  failure: replaceLogicalNames(failure, [plan]),
});

async function run(p: Probing, dir: string): Promise<ProbeOutcome> {
  p.signal.throwIfAborted();
  const answer: string[] = [];
  const lines: LogLine[] = [];
  let length = 0;
  let running: Launched | undefined;
  let cause: 'aborted' | 'late' | 'endless' | undefined;
  const stop = (why: typeof cause): void => {
    cause ??= why;
    void running?.kill();
  };
  const out = (piece: string): void => {
    length += piece.length;
    if (length > LONGEST_ANSWER) stop('endless');
    else answer.push(piece);
  };
  const err = (line: string): void => {
    if (lines.length < MOST_LINES) lines.push(parseLogLine(line));
  };
  const abort = (): void => stop('aborted');
  p.signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => stop('late'), p.timeoutSeconds * 1000);
  let end: End;
  try {
    const inputs = await holdInputs(dir, [p.mount], p.sandbox);
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
  if (cause === 'late' || usedUpItsTime(end)) return { ok: false, failure: tookTooLong(p.timeoutSeconds) };
  if (cause === 'endless') return { ok: false, failure: SAYS_TOO_MUCH };
  if (end.code !== 0) return { ok: false, failure: probeFailure(end, lines) };
  const info = readAnswer(answer.join(''));
  return info === undefined ? { ok: false, failure: NO_ANSWER } : { ok: true, info };
}

/** By the limit of processor time: SIGXCPU, behind bwrap 128 + 24. */
const usedUpItsTime = ({ code, signal }: End): boolean => signal === 'SIGXCPU' || code === 152;

const command = (p: Probing, dir: string, mounts: readonly HeldMount[]) =>
  sandboxed({
    sandbox: p.sandbox,
    program: p.ffprobePath,
    argv: p.plan.argv,
    dir,
    writable: [],
    mounts,
    limits: limits(p.timeoutSeconds),
    lastResortSeconds: Math.ceil(p.timeoutSeconds) + LAST_RESORT_SECONDS,
  });
