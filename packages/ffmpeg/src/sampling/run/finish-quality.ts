import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { METRIC_NAMES, type OutputQuality } from '@telecine/contract/domain/quality.ts';
import type { ChosenBySamples, PlannedQuality } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Pass } from '../../run/pass.ts';
import type { WrittenOutputs } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { CONVERSION_CANCELLED } from '../../run/stop.ts';
import { isReached, roundedScore } from '../choosers/scales.ts';
import { compareVideos, fpsOf } from './compare.ts';
import { orFailed } from './run-step.ts';

/**
 * Measures the quality of the output, and warns if it missed the target or exceeds a limit. A complete output succeeds with a warning if it
 * cannot be measured, or if the time or the space is used up. Only a cancelled job fails: throws `JobFailed`.
 *
 * @param pass The pass that wrote the output.
 */
export async function finishQuality(
  c: PreparedRun,
  planned: PlannedQuality,
  { quality: chosen, isLimited }: ChosenBySamples,
  { pass, written }: { readonly pass: Pass; readonly written: WrittenOutputs },
  state: RunState,
): Promise<WrittenOutputs> {
  if (chosen === undefined) return written;
  const { metric } = chosen;
  const [{ logical = '', span } = {}] = c.plan.outputs;
  const { frame: frames = 0 } = pass.lastBlock ?? {};
  const onFrame = (frame: number): void =>
    c.onProgress(state.tracker.update(2, { outSeconds: frame, ended: false }, frames), state.log.text());
  const videos = { files: [logical], frames, pass, start: span?.output.start ?? 0 };
  const compared = await orFailed(compareVideos(c, planned.samples.result, metric, videos, state, onFrame));
  const cause = c.signal.aborted ? spaceFailure(c.signal.reason) : state.stopper.cause;
  if (c.signal.aborted && cause === undefined) throw new JobFailed(CONVERSION_CANCELLED);
  c.onProgress(state.tracker.end(), state.log.text());
  const reached = compared.ok ? roundedScore(compared.value[0] ?? 0) : undefined;
  state.log.note(
    reached === undefined
      ? 'Quality: the output could not be compared with its source'
      : `Quality: the output has ${METRIC_NAMES[metric]} ${reached}, the target is ${chosen.target}`,
  );
  const bytes = (await lstat(join(c.dir, logical)).catch(() => undefined))?.size ?? 0;
  const seconds = Math.max(written.outputs[0]?.durationSeconds ?? 0, frames / fpsOf(pass));
  const videoBytes = pass.runComplaints.found.written?.video ?? 0;
  const bitsPerSecond = seconds > 0 ? Math.round((videoBytes * 8) / seconds) : 0;
  const quality: OutputQuality = {
    ...chosen,
    ...(reached !== undefined && {
      ...{ reached, isReached: isReached(chosen, reached) },
      tried: [...chosen.tried, { value: chosen.value, score: reached, bitsPerSecond, isWhole: true }].toSorted(
        (a, b) => a.value - b.value,
      ),
    }),
  };
  return {
    ...written,
    outputs: written.outputs.map((output) => ({ ...output, quality })),
    warnings: [
      ...written.warnings,
      ...qualityWarnings(planned, quality, { bytes, bitsPerSecond, isLimited: isLimited === true }, cause),
    ],
  };
}

/** The failure with which the watch of disk space stopped the run. undefined: the run was cancelled. */
const spaceFailure = (reason: Partial<Failure> | undefined): Failure | undefined =>
  reason?.code === 'NO_SPACE' || reason?.code === 'LIMIT_EXCEEDED' ? (reason as Failure) : undefined;

/** Warnings about a target that was missed, and limits that were exceeded. `cause`: why the run was stopped before its end. */
export function qualityWarnings(
  planned: Pick<PlannedQuality, 'maxBitrate' | 'maxSize' | 'samples'>,
  { metric, target, option, value, reached, isReached: hasTarget }: Omit<OutputQuality, 'tried'>,
  {
    bytes,
    bitsPerSecond,
    isLimited,
  }: { readonly bytes: number; readonly bitsPerSecond: number; readonly isLimited: boolean },
  cause: Failure | undefined,
): readonly Warning[] {
  const missed = (field: string, message: string, fix: string): Warning => ({
    ...{ field: `/quality/${field}`, code: 'QUALITY_MISSED', message, fix },
  });
  const limits = [
    // ffmpeg rounds the bytes of the video.
    { field: 'maxBitrate', used: bitsPerSecond, unit: 'bits of video per second', most: 1.01 },
    { field: 'maxSize', used: bytes, unit: 'bytes', most: 1 },
  ] as const;
  const sent = limits.map((one) => ({ ...one, limit: planned[one.field] ?? Number.POSITIVE_INFINITY }));
  const exceeded = sent
    .filter(({ used, limit, most }) => used > limit * most)
    .map(({ field, used, unit, limit }) =>
      missed(
        field,
        `The output has ${used} ${unit}, more than "${field}" (${limit}): its samples had fewer.`,
        `Send a "${field}" that is lower by ${Math.ceil(used - limit)}.`,
      ),
    );
  if (reached === undefined) {
    const why = cause?.message ?? 'ffmpeg could not compare it with its source.';
    const message = `The output is complete, but was not measured: ${why}`;
    return [{ field: '/quality', code: 'QUALITY_UNKNOWN', message }, ...exceeded];
  }
  if (hasTarget) return exceeded;
  // The limit that the output is nearest to is the one that decided its value.
  const [nearest] = sent.toSorted((a, b) => b.used / b.limit - a.used / a.limit);
  const limited = isLimited ? nearest?.field : undefined;
  const fix =
    limited === undefined
      ? `Send a "target" that is ${value <= planned.samples.scale.min ? 'lower' : 'higher'} by ${roundedScore(target - reached)}.`
      : `Send a higher "${limited}", a smaller video ("vf": "scale=1280:-2"), or a slower "preset" of the encoder.`;
  const message = `The output has ${METRIC_NAMES[metric]} ${reached} with ${option} ${value}, and the target is ${target}.`;
  return [missed(limited ?? 'target', message, fix), ...exceeded];
}
