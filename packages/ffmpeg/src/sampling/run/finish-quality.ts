import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { METRIC_NAMES } from '@telecine/contract/domain/quality.ts';
import type { PlannedQuality } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Pass } from '../../run/pass.ts';
import type { Failed, WrittenOutputs } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { CONVERSION_CANCELLED } from '../../run/stop.ts';
import type { ChosenValue } from '../choosers/quality.ts';
import { isReached, roundedScore } from '../choosers/scales.ts';
import { compareVideos, fpsOf } from './compare.ts';
import type { FoundQuality } from './search-quality.ts';

/**
 * Measures the quality of the output, and warns if it missed the target or exceeds a limit. A complete output succeeds with a warning if it
 * cannot be measured, or if the time or the space is used up. Only a cancelled job fails.
 *
 * @param pass The one that wrote the output.
 */
export async function finishQuality(
  c: PreparedRun,
  quality: PlannedQuality,
  { chosen, result }: FoundQuality,
  { pass, written }: { readonly pass: Pass; readonly written: WrittenOutputs },
  state: RunState,
): Promise<(WrittenOutputs & { readonly ok: true }) | Failed> {
  const { metric } = quality.samples;
  const [{ logical = '', span } = {}] = c.plan.outputs;
  const frames = pass.lastBlock?.frame ?? Number.POSITIVE_INFINITY;
  const onFrame = (frame: number): void =>
    c.onProgress(state.tracker.update(2, { outSeconds: frame, ended: false }, frames), state.log.text());
  const videos = { files: [logical], frames, pass, start: span?.output.start ?? 0 };
  const scores = await compareVideos(c, quality.result, metric, videos, state, onFrame);
  const cause = c.signal.aborted ? spaceFailure(c.signal.reason) : state.stopper.cause;
  if (c.signal.aborted && cause === undefined) return { ok: false, failure: CONVERSION_CANCELLED, raw: '' };
  c.onProgress(state.tracker.end(), state.log.text());
  const reached = 'ok' in scores || scores[0] === undefined ? undefined : roundedScore(scores[0]);
  state.log.note(
    reached === undefined
      ? 'Quality: the output could not be compared with its source'
      : `Quality: the output has ${METRIC_NAMES[metric]} ${reached}, the target is ${quality.target}`,
  );
  const bytes = (await lstat(join(c.dir, logical)).catch(() => undefined))?.size ?? 0;
  const seconds = Math.max(written.outputs[0]?.durationSeconds ?? 0, frames / fpsOf(pass));
  const bitsPerSecond = Math.round(((pass.runComplaints.found.written?.video ?? 0) * 8) / seconds);
  const found = {
    ...result,
    ...(reached !== undefined && {
      ...{ reached, isReached: isReached({ metric, target: quality.target }, reached) },
      tried: [...result.tried, { value: chosen.value, score: reached, bitsPerSecond, isWhole: true }].toSorted(
        (a, b) => a.value - b.value,
      ),
    }),
  };
  return {
    ...written,
    ok: true,
    outputs: written.outputs.map((output) => ({ ...output, quality: found })),
    warnings: [...written.warnings, ...qualityWarnings(quality, chosen, { reached, bytes, bitsPerSecond }, cause)],
  };
}

/** The failure with which the watch of disk space stopped the run. undefined: the run was cancelled. */
const spaceFailure = (reason: Partial<Failure> | undefined): Failure | undefined =>
  reason?.code === 'NO_SPACE' || reason?.code === 'LIMIT_EXCEEDED' ? (reason as Failure) : undefined;

/** Up to this multiple of a limit, an output gets no warning: ffmpeg rounds the bytes of the video. */
const ALLOWED = { maxBitrate: 1.01, maxSize: 1 } as const;

/** What an output has. `reached`: undefined: it was not measured. */
interface WrittenQuality {
  readonly reached: number | undefined;
  readonly bytes: number;
  readonly bitsPerSecond: number;
}

/** Warnings about a target that was missed, and limits that were exceeded. `cause`: why the run was stopped before its end. */
export function qualityWarnings(
  quality: Pick<PlannedQuality, 'target' | 'maxBitrate' | 'maxSize' | 'samples'>,
  chosen: ChosenValue,
  { reached, bytes, bitsPerSecond }: WrittenQuality,
  cause: Failure | undefined,
): readonly Warning[] {
  const { target, samples } = quality;
  const warnings: Warning[] = [];
  const missed = (field: string, message: string, fix: string): void => {
    warnings.push({ field: `/quality/${field}`, code: 'QUALITY_MISSED', message, fix });
  };
  if (reached === undefined)
    warnings.push({
      field: '/quality',
      code: 'QUALITY_UNKNOWN',
      message: `The output is complete, but was not measured: ${cause?.message ?? 'ffmpeg could not compare it with its source.'}`,
    });
  else if (!isReached({ metric: samples.metric, target }, reached)) {
    const isLimited = chosen.limit === 'bitrate';
    const field = !isLimited ? 'target' : quality.maxSize === undefined ? 'maxBitrate' : 'maxSize';
    const value = `${samples.scale.option} ${chosen.value}`;
    missed(
      field,
      `The output has ${METRIC_NAMES[samples.metric]} ${reached}, and the target is ${target}: its samples had ${roundedScore(chosen.score)} with ${value}.`,
      isLimited
        ? `Send a higher "${field}", a smaller video ("vf": "scale=1280:-2"), or a slower "preset" of the encoder.`
        : `Send a "target" that is ${chosen.limit === undefined ? 'higher' : 'lower'} by ${roundedScore(target - reached)}.`,
    );
  }
  for (const [field, value] of [['maxBitrate', bitsPerSecond] as const, ['maxSize', bytes] as const]) {
    const limit = quality[field] ?? Number.POSITIVE_INFINITY;
    const unit = field === 'maxSize' ? 'bytes' : 'bits of video per second';
    if (value > limit * ALLOWED[field])
      missed(
        field,
        `The output has ${value} ${unit}, more than "${field}" (${limit}): its samples had fewer.`,
        `Send a "${field}" that is lower by ${Math.ceil(value - limit)}.`,
      );
  }
  return warnings;
}
