import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { METRIC_NAMES, type MeasuredTarget, type OutputQuality } from '@telecine/contract/domain/quality.ts';
import { roundedScore } from '../../quality/search-scales.ts';
import type { PreparedRun } from '../conversion-run.ts';
import type { Pass } from '../pass.ts';
import type { WrittenOutputs } from '../run-pass.ts';
import type { RunState } from '../run-state.ts';
import type { Source } from './search-quality.ts';
import { compare } from './try-sample.ts';

/** A full video that was encoded with a value. */
interface WholeEncode {
  readonly value: number;
  /** The pass that encoded it. */
  readonly pass: Pass;
  readonly written: WrittenOutputs;
}

export interface MeasuredWhole extends WholeEncode {
  /** undefined: it could not be compared with its source. */
  readonly reached: number | undefined;
  /** The size of the file. */
  readonly bytes: number | undefined;
  /** The bytes of the video alone. */
  readonly videoBytes: number;
  /** Of the video. undefined: unknown. */
  readonly bitsPerSecond: number | undefined;
}

/** Measures the quality and the size of the full video. `step`: the index of the pass for the progress. */
export async function measureWhole(
  c: PreparedRun,
  quality: MeasuredTarget,
  { step, source, ...whole }: WholeEncode & { readonly step: number; readonly source: Source },
  state: RunState,
): Promise<MeasuredWhole> {
  const { pass, written } = whole;
  const frames = pass.lastBlock?.frame ?? Number.POSITIVE_INFINITY;
  const onFrame = (frame: number): void =>
    c.onProgress(state.tracker.update(step, { outSeconds: frame, ended: false }, frames), state.log.text());
  const { metric, result, resultShift: shift = 0 } = quality;
  const comparison = await compare(
    c,
    { metric, times: { shift, isChunk: source.isChunk === true } },
    result,
    pass,
    state,
    frames,
    onFrame,
  );
  const reached = comparison.ok ? roundedScore(comparison.score) : undefined;
  if (state.stopper.cause === undefined)
    state.log.note(
      reached === undefined
        ? 'Quality: the output could not be compared with its source'
        : `Quality: the output has ${METRIC_NAMES[quality.metric]} ${reached}, the target is ${quality.target}`,
    );
  const [{ logical: file } = { logical: undefined }] = c.plan.outputs;
  const bytes = file === undefined ? undefined : (await lstat(join(c.dir, file)).catch(() => undefined))?.size;
  const videoBytes = pass.runComplaints.found.written?.video ?? 0;
  const fps = pass.firstOutput.report.streams?.find(({ type }) => type === 'video')?.fps;
  const ofFile = source.isChunk === true ? undefined : written.outputs[0]?.durationSeconds;
  const seconds = secondsOfVideo({ frames: pass.lastBlock?.frame, fps }, source, ofFile);
  const bitsPerSecond = videoBytes > 0 && seconds !== undefined ? (videoBytes * 8) / seconds : undefined;
  return { ...whole, reached, bytes, videoBytes, bitsPerSecond };
}

/** What was tried with a full video. `expected`: the bits per second, if they were not measured. */
export const triedWhole = (whole: MeasuredWhole | undefined, expected: number): OutputQuality['tried'] =>
  whole?.reached === undefined
    ? []
    : [
        {
          ...{ value: whole.value, score: whole.reached },
          ...{ bitsPerSecond: Math.round(whole.bitsPerSecond ?? expected), isWhole: true },
        },
      ];

/**
 * Returns the length of the video in a file, in seconds. The audio of the file may be longer. The length of the video is that of the source,
 * or the number of frames over the frame rate if that is longer, because filters may add frames. It is at most `ofFile`, the length of the
 * file. undefined: unknown.
 */
export function secondsOfVideo(
  { frames, fps = 0 }: { readonly frames: number | undefined; readonly fps: number | undefined },
  { seconds, isKnown }: Pick<Source, 'seconds' | 'isKnown'>,
  ofFile: number | undefined,
): number | undefined {
  const byFrames = frames !== undefined && frames > 0 && fps > 0 ? frames / fps : undefined;
  const most = ofFile !== undefined && ofFile > 0 ? ofFile : Number.POSITIVE_INFINITY;
  const bySource = isKnown && seconds > 0 ? Math.max(seconds, byFrames ?? 0) : byFrames;
  const found = Math.min(bySource ?? Number.POSITIVE_INFINITY, most);
  return Number.isFinite(found) ? found : undefined;
}
