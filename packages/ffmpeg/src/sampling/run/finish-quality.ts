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
import { kilobits } from '../choosers/sizes.ts';
import { compareArgv } from '../fill-argv.ts';
import { compareVideos, pairingOf } from './samples.ts';
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
  { chosen, result, source }: FoundQuality,
  { pass, written }: { readonly pass: Pass; readonly written: WrittenOutputs },
  state: RunState,
): Promise<(WrittenOutputs & { readonly ok: true }) | Failed> {
  const { metric } = quality.samples;
  const frames = pass.lastBlock?.frame ?? Number.POSITIVE_INFINITY;
  const onFrame = (frame: number): void =>
    c.onProgress(state.tracker.update(2, { outSeconds: frame, ended: false }, frames), state.log.text());
  const argv = compareArgv(quality.result, 1, pairingOf(pass), {}, quality.resultShift ?? 0);
  const scores = await compareVideos(c, { argv, metric, frames, count: 1 }, state, onFrame);
  const cause = spaceFailure(c.signal) ?? state.stopper.cause;
  if (c.signal.aborted && cause === state.stopper.cause)
    return { ok: false, failure: cause ?? CONVERSION_CANCELLED, raw: '' };
  const reached = 'ok' in scores || scores[0] === undefined ? undefined : roundedScore(scores[0]);
  state.log.note(
    reached === undefined
      ? 'Quality: the output could not be compared with its source'
      : `Quality: the output has ${METRIC_NAMES[metric]} ${reached}, the target is ${quality.target}`,
  );
  c.onProgress(state.tracker.end(), state.log.text());
  const [{ logical: file = '' } = {}] = c.plan.outputs;
  const bytes = (await lstat(join(c.dir, file)).catch(() => undefined))?.size ?? 0;
  const videoBytes = pass.runComplaints.found.written?.video ?? 0;
  const { fps } = pairingOf(pass);
  // The audio of the file may be longer than the video, and filters may make the video longer than its source.
  const seconds = Math.min(
    Math.max(source.isKnown ? source.seconds : 0, (pass.lastBlock?.frame ?? 0) / fps),
    written.outputs[0]?.durationSeconds || Number.POSITIVE_INFINITY,
  );
  const bitsPerSecond = seconds > 0 ? (videoBytes * 8) / seconds : 0;
  const whole = {
    value: chosen.value,
    bitsPerSecond: Math.round(bitsPerSecond || chosen.bitsPerSecond),
    isWhole: true,
  } as const;
  const found = {
    ...result,
    ...(reached !== undefined && {
      ...{ reached, isReached: isReached({ metric, target: quality.target }, reached) },
      tried: [...result.tried, { ...whole, score: reached }].toSorted((a, b) => a.value - b.value),
    }),
  };
  return {
    ...written,
    ok: true,
    outputs: written.outputs.map((output) => ({ ...output, quality: found })),
    warnings: [...written.warnings, ...qualityWarnings(quality, chosen, { reached, bytes, bitsPerSecond }, cause)],
  };
}

/** The failures with which the service stops a run because of the disk space that it uses. */
const OF_SPACE: ReadonlySet<unknown> = new Set<Failure['code']>(['NO_SPACE', 'LIMIT_EXCEEDED']);

/** Returns the failure with which the watch of disk space stopped the run. undefined: the run was cancelled, or was not stopped. */
function spaceFailure({ aborted, reason }: AbortSignal): Failure | undefined {
  if (!aborted || typeof reason !== 'object' || reason === null) return undefined;
  return 'code' in reason && OF_SPACE.has(reason.code) ? (reason as Failure) : undefined;
}

/** Up to this multiple of `maxBitrate`, an output gets no warning: ffmpeg rounds the bytes of the video. */
const ALLOWED_BITRATE = 1.01;

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
  const { target, samples, maxBitrate = Number.POSITIVE_INFINITY, maxSize = Number.POSITIVE_INFINITY } = quality;
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
    const message = `The output has ${METRIC_NAMES[samples.metric]} ${reached}, and the target is ${target}`;
    const { option } = samples.scale;
    if (chosen.limit === 'bitrate') {
      const field = quality.maxSize === undefined ? 'maxBitrate' : 'maxSize';
      missed(
        field,
        `${message}: "${field}" allows about ${kilobits(chosen.bitsPerSecond)} kb/s of video.`,
        `Send a higher "${field}", a smaller video ("vf": "scale=1280:-2"), or a slower "preset" of the encoder.`,
      );
    } else if (chosen.limit === 'scale')
      missed(
        'target',
        `${message}: it is not reached with ${option} ${chosen.value}, the best value that was tried.`,
        `Send a lower "target", such as ${reached}.`,
      );
    else
      missed(
        'target',
        `${message}: its samples had ${roundedScore(chosen.score)}, and the full video is worse.`,
        `Send a "target" that is higher by ${roundedScore(target - reached)}, or "${option}" below ${chosen.value} instead of "quality".`,
      );
  }
  if (bitsPerSecond > maxBitrate * ALLOWED_BITRATE)
    missed(
      'maxBitrate',
      `The video has ${Math.ceil(bitsPerSecond / 1000)} kb/s on average, more than "maxBitrate" (${maxBitrate / 1000} kb/s): its samples had ${kilobits(chosen.bitsPerSecond)} kb/s.`,
      `Send a "maxBitrate" that is lower by ${Math.ceil(bitsPerSecond - maxBitrate)}.`,
    );
  if (bytes > maxSize)
    missed(
      'maxSize',
      `The output has ${bytes} bytes, more than "maxSize" (${maxSize}): its samples had a lower bit rate than the full video.`,
      `Send a "maxSize" that is lower by ${bytes - maxSize}, or the recipe "target-size".`,
    );
  return warnings;
}
