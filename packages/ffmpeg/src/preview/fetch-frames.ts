import type { ByteRange } from '@telecine/contract/domain/byte-ranges.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import type { PreviewInput } from '../plan/preview/preview-argv.ts';
import { packetPositionsPlan } from '../probe/plan-probe.ts';
import { type ProbeRun, runProbe } from '../probe/probe.ts';
import type { WantedFrame } from './extract-frames.ts';
import { AFTER_SECONDS, BEFORE_END_SECONDS, bytesOfFrames, frameInterval } from './frame-bytes.ts';

/** Copies more bytes into a file of which some are zeros. */
export type FetchBytes = (bytes: readonly ByteRange[]) => Promise<void>;

interface FetchRun extends Pick<ProbeRun, 'ffprobePath' | 'sandbox' | 'workRoot' | 'signal'> {
  readonly files: readonly (PreviewInput & { readonly mount: Mount })[];
  readonly deadlineMs: number;
  readonly fetchBytes: FetchBytes;
}

/** The failure of a preview if the bytes at both ends of a file do not suffice, and others are not found. */
export const bytesMissing = (): JobFailed =>
  new JobFailed({ code: 'INPUT_INVALID', message: 'A part of the file does not suffice for this preview.' });

/**
 * Fetches the bytes of frames into the only file of a preview, which has its two ends: ffprobe finds in its index where they are. Throws
 * JobFailed.
 */
export async function fetchFrames(
  { files: [file], deadlineMs, fetchBytes, ffprobePath, sandbox, workRoot, signal }: FetchRun,
  info: MediaInfo | undefined,
  frames: readonly WantedFrame[],
): Promise<void> {
  const video = frames[0]?.video;
  const { sizeBytes: fileBytes, startSeconds: start = 0 } = info?.format ?? {};
  if (file === undefined || fileBytes === undefined || video?.durationSeconds === undefined) throw bytesMissing();
  const times = frames.map(({ time = 0 }) => time + start);
  const end = Math.max(0, start + video.durationSeconds - BEFORE_END_SECONDS);
  const outcome = await runProbe({
    plan: packetPositionsPlan(file, video.index, times.map(frameInterval), end),
    mount: file.mount,
    timeoutSeconds: Math.max(1, (deadlineMs - performance.now()) / 1000),
    ...{ ffprobePath, sandbox, workRoot, signal },
  });
  const bytes = outcome.ok ? bytesOfFrames(times, outcome.clip?.packets ?? [], fileBytes) : undefined;
  if (bytes === undefined) throw bytesMissing();
  await fetchBytes(bytes);
}

/** Throws JobFailed if a frame was not found near its time: its bytes were missing, and a later frame was decoded. */
export function requireTimes(frames: readonly WantedFrame[], found: ReadonlyMap<number, number>): void {
  for (const { index, time = 0 } of frames) {
    const at = found.get(index);
    if (at === undefined || at > time + AFTER_SECONDS) throw bytesMissing();
  }
}
