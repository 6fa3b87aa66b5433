import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { classifyFailure, ranOutOfMemory } from '../log/classify.ts';
import { ComplaintReader } from '../log/complaint-reader.ts';
import { LogLineReader } from '../log/log-line.ts';
import { ProgressReader } from '../log/progress-reader.ts';
import { type LaunchedProcess, launch } from '../process/launch.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import { watchThreadCount } from '../process/process-tree.ts';
import { findPolicyViolation } from '../run/policy-violations.ts';
import type { JobCgroups } from '../sandbox/cgroup/job-cgroups.ts';
import { confineCommand, LAST_RESORT_SECONDS } from '../sandbox/confine.ts';
import { CORES, type KernelLimits, kernelLimits } from '../sandbox/limits.ts';
import { withPinnedFiles } from '../sandbox/pinned-files.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** A private folder that is prepared for the sandbox, and what runs of ffmpeg in it need. */
export interface FfmpegRunner {
  /** Absolute. The folder has `in/`, `out/` and `pass/`. */
  readonly dir: string;
  readonly mounts: readonly Mount[];
  /** Absolute, with symlinks resolved. */
  readonly ffmpegPath: string;
  readonly sandbox: Sandbox;
  readonly cgroups?: JobCgroups;
  readonly policy: ClientLimits;
  /** When all runs must have ended, on the clock of `performance.now()`. */
  readonly deadlineMs: number;
  /** The timeout of all runs together in seconds, for messages. */
  readonly timeoutSeconds: number;
  /** Stops the run, which then throws the reason of the abort. */
  readonly signal: AbortSignal;
}

interface FinishedRun {
  /** Absent: ffmpeg succeeded. Even after a failure, ffmpeg may have written some files. */
  readonly failure?: Failure;
  /** The last position in the output that ffmpeg reported, in seconds. */
  readonly outSeconds?: number;
}

/** The maximum size of a file that ffmpeg may write, in bytes. Tiles and images are much smaller. */
const MAX_FILE_BYTES = 64 * 2 ** 20;

/** Runs ffmpeg in the sandbox and with the limits of a conversion. Throws only if the machine fails, or after an abort. */
export async function runFfmpeg(r: FfmpegRunner, argv: readonly string[]): Promise<FinishedRun> {
  r.signal.throwIfAborted();
  const leftSeconds = (r.deadlineMs - performance.now()) / 1000;
  if (leftSeconds <= 0) return { failure: previewTimedOut(r.timeoutSeconds) };
  const complaints = new ComplaintReader();
  let outSeconds: number | undefined;
  let running: LaunchedProcess | undefined;
  let cause: Failure | 'aborted' | undefined;
  const stop = (reason: NonNullable<typeof cause>): void => {
    cause ??= reason;
    void running?.kill();
  };
  const lines = new LogLineReader();
  const progress = new ProgressReader();
  const listeners = {
    out: new LineSplitter((line) => {
      outSeconds = progress.feed(line)?.outSeconds ?? outSeconds;
    }),
    err: new LineSplitter((text) => {
      for (const line of lines.feed(text)) if (line.level !== 'verbose') complaints.feed(line);
    }),
  };
  const abort = (): void => stop('aborted');
  r.signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => stop(previewTimedOut(r.timeoutSeconds)), leftSeconds * 1000);
  const endThreadWatch = watchThreadCount(r.policy.processes, () => running?.pid(), stop);
  const limits = limitsOf(r, leftSeconds);
  const cgroup = await r.cgroups?.open(limits);
  try {
    running = await withPinnedFiles(r, (pinned) =>
      launch(
        confineCommand({
          ...pinned,
          sandbox: r.sandbox,
          program: r.ffmpegPath,
          argv,
          limits,
          lastResortSeconds: Math.ceil(leftSeconds) + LAST_RESORT_SECONDS,
        }),
        listeners,
        cgroup?.enter,
      ),
    );
    if (cause !== undefined) void running.kill();
    const end = await running.ended;
    if (cause === 'aborted') throw r.signal.reason;
    const observed = { largestStreamCount: 0, outSeconds: 0, complaints: complaints.lines };
    const violation = findPolicyViolation(r.policy, observed);
    const failed = async (): Promise<Failure> =>
      (await cgroup?.ranOutOfMemory()) === true
        ? ranOutOfMemory(r.policy)
        : ofPreview(classifyFailure({ ...end, lines: complaints.lines }, r.policy));
    const failure = cause ?? violation ?? (end.code === 0 ? undefined : await failed());
    return { ...(failure !== undefined && { failure }), ...(outSeconds !== undefined && { outSeconds }) };
  } finally {
    clearTimeout(timer);
    endThreadWatch();
    r.signal.removeEventListener('abort', abort);
    await cgroup?.end();
  }
}

/** Replaces a failure that explains an option: the client sent none. `previewProblem` has a message for FFMPEG_FAILED. */
const ofPreview = (failure: Failure): Failure =>
  failure.code === 'INPUT_INVALID' || failure.code === 'UNSUPPORTED' ? { ...failure, code: 'FFMPEG_FAILED' } : failure;

function limitsOf({ policy }: FfmpegRunner, seconds: number): KernelLimits {
  const limits = kernelLimits(policy, seconds, CORES);
  return { ...limits, fileSizeBytes: Math.min(limits.fileSizeBytes ?? MAX_FILE_BYTES, MAX_FILE_BYTES) };
}

const previewTimedOut = (seconds: number): Failure => ({
  code: 'TIMEOUT',
  message: `The preview took longer than its limit of ${seconds} s.`,
  fix: 'Ask for one frame, for fewer columns and rows, or again when the machine is less busy.',
});
