import { stat } from 'node:fs/promises';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import { askOperator, hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import type { Progress } from '@telecine/contract/domain/job.ts';
import { type LogLine, parseLogLine } from '../log/log-line.ts';
import { replaceLogicalNames } from '../log/logical-input-names.ts';
import { startsArgv } from '../plan/analysis/plan-analysis.ts';
import { couldNotStart, probeFailure } from '../probe/probe.ts';
import { launch } from '../process/launch.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import type { ConversionRun } from '../run/conversion-run.ts';
import { explainInput } from '../run/failed-output.ts';
import { CONVERSION_CANCELLED, conversionStalled, conversionTimedOut } from '../run/stop.ts';
import { confineCommand, LAST_RESORT_SECONDS, writableFolders } from '../sandbox/confine.ts';
import { CORES, kernelLimits } from '../sandbox/limits.ts';
import { withPinnedFiles } from '../sandbox/pinned-files.ts';
import { FrameList } from './frame-list.ts';
import { PacketCounter } from './packet-counter.ts';

const MAX_LINES = 100;

export type FfprobeRun = ConversionRun & { readonly ffprobePath: string };

interface FfprobeListener {
  readonly onLine: (line: string) => void;
  readonly onLog?: (line: LogLine) => void;
}

/** Runs ffprobe in the sandbox and with the limits of a conversion. `seconds`: the timeout. */
export async function runFfprobe(
  c: FfprobeRun,
  argv: readonly string[],
  seconds: number,
  { onLine, onLog = () => {} }: FfprobeListener,
): Promise<Failure | undefined> {
  const lines: LogLine[] = [];
  const out = new LineSplitter(onLine);
  const err = new LineSplitter((text) => {
    const line = parseLogLine(text);
    onLog(line);
    if (lines.length < MAX_LINES) lines.push(line);
  });
  const stop = AbortSignal.any([c.signal, AbortSignal.timeout(Math.ceil(seconds * 1000))]);
  const limits = kernelLimits(c.policy, c.timeoutSeconds, CORES);
  const cgroup = await c.cgroups?.open(limits);
  const writable = writableFolders(c.sandbox, [argv]);
  try {
    const running = await withPinnedFiles({ ...c, writable }, (pinned) =>
      launch(
        confineCommand({
          ...pinned,
          sandbox: c.sandbox,
          program: c.ffprobePath,
          argv,
          limits,
          lastResortSeconds: Math.ceil(seconds) + LAST_RESORT_SECONDS,
        }),
        { out, err },
        cgroup?.enter,
      ),
    );
    const kill = (): void => void running.kill();
    stop.addEventListener('abort', kill, { once: true });
    if (stop.aborted) kill();
    const end = await running.ended.finally(() => stop.removeEventListener('abort', kill));
    if (c.signal.aborted) return CONVERSION_CANCELLED;
    if (stop.aborted) return conversionTimedOut(c.timeoutSeconds, '');
    if (end.code === 0) return undefined;
    if (couldNotStart(end)) return FFPROBE_MISSING;
    return replaceLogicalNames(await explainInput(c, probeFailure(end, lines)), c.plan.inputs);
  } finally {
    await cgroup?.end();
  }
}

/** Whether a run of ffprobe failed because ffprobe did not start: this machine is at fault, and not the input. */
export const isFfprobeMissing = (failure: Failure): boolean => failure === FFPROBE_MISSING;

/** The input is not at fault, so the code is not that of an unreadable one. */
const FFPROBE_MISSING: Failure = {
  code: 'FFMPEG_FAILED',
  message: 'ffprobe could not be started: it is missing on this machine, or one of its libraries is.',
  fix: hint`${askOperator('install it again')}, and ${RETRY_JOB}.`,
};

/** Lists the packets of the input. `seconds`: the timeout. */
export async function listPackets(
  c: FfprobeRun,
  argv: readonly string[],
  seconds: number,
): Promise<PacketCounter | Failure> {
  const counter = new PacketCounter();
  return (await runFfprobe(c, argv, seconds, { onLine: (line) => counter.feed(line) })) ?? counter;
}

/** Matches the line of a stream and that of the format: `stream,0.500000`. Side data may follow the time. */
const START = /^(stream|format),(-?[\d.]{1,20})(?:,|$)/;

/** How many seconds of an input are before its first frame of video. `seconds`: the timeout. */
export async function videoDelay(c: FfprobeRun, logical: string, seconds: number): Promise<number> {
  const starts = { stream: 0, format: 0 };
  const onLine = (line: string): void => {
    const [, section, time] = START.exec(line) ?? [];
    if (section === 'stream' || section === 'format') starts[section] = Number(time);
  };
  // ffmpeg reports what is wrong with the file.
  await runFfprobe(c, startsArgv(logical), seconds, { onLine });
  return starts.stream - starts.format;
}

const PROGRESS_MS = 500;

interface Before {
  readonly percent: number;
  readonly log: string;
}

/**
 * Decodes the input and lists its packets and frames. Progress is the share of the bytes that were read, because the duration of a damaged
 * file is unknown.
 *
 * @param seconds The timeout.
 * @param before The job's progress in percent before this run, and its log.
 */
export async function listFrames(
  c: FfprobeRun,
  argv: readonly string[],
  seconds: number,
  before: Before,
): Promise<FrameList | Failure> {
  const frames = new FrameList();
  const startMs = performance.now();
  const bytes = await sizeOf(c);
  let advancedMs = startMs;
  let isStalled = false;
  const stall = new AbortController();
  const timer = setInterval(() => {
    if (performance.now() - advancedMs >= c.stallSeconds * 1000) {
      isStalled = true;
      stall.abort();
    } else
      c.onProgress(progressOf(frames, { bytes, before, seconds: (performance.now() - startMs) / 1000 }), before.log);
  }, PROGRESS_MS);
  const onLine = (line: string): void => {
    advancedMs = performance.now();
    frames.feed(line);
  };
  try {
    const signal = AbortSignal.any([c.signal, stall.signal]);
    const failure = await runFfprobe({ ...c, signal }, argv, seconds, {
      onLine,
      onLog: (line) => frames.countError(line),
    });
    if (isStalled && !c.signal.aborted) return conversionStalled(c.stallSeconds);
    return failure ?? frames;
  } finally {
    clearInterval(timer);
  }
}

/** The size of the input in bytes. undefined: the input is not a file. */
const sizeOf = async ({ mounts }: FfprobeRun): Promise<number | undefined> =>
  mounts[0] && (await stat(mounts[0].hostPath).catch(() => undefined))?.size;

interface Reading {
  readonly bytes: number | undefined;
  readonly before: Before;
  readonly seconds: number;
}

function progressOf({ position, seconds: read }: FrameList, { bytes, before, seconds }: Reading): Progress {
  const done = bytes === undefined || bytes === 0 ? 0 : Math.min(1, position / bytes);
  const speed = seconds > 0 && read > 0 && { speed: Number((read / seconds).toFixed(3)) };
  if (done === 0) return { ...speed };
  return {
    percent: Math.floor((before.percent + done * (99.9 - before.percent)) * 10) / 10,
    etaSeconds: Number(((seconds * (1 - done)) / done).toFixed(1)),
    ...speed,
  };
}
