import { stat } from 'node:fs/promises';
import type { Failure } from '../../domain/failure.ts';
import type { Progress } from '../../domain/job.ts';
import { conversionStalled } from '../run/stop.ts';
import { FrameList } from './frame-list.ts';
import { type FfprobeRun, runFfprobe } from './run-ffprobe.ts';

const PROGRESS_MS = 500;

export interface Before {
  readonly percent: number;
  readonly log: string;
}

/**
 * Decodes the input and lists its packets and frames. It reports the progress by how much of the file is read, because nothing
 * tells the duration of a damaged file.
 *
 * @param seconds How long it may take.
 * @param before What the job did before: its progress in per cent, and its log.
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

/** The size of the input in bytes. undefined if it is not one file. */
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
