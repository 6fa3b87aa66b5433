import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { METRIC_NAMES, type MeasuredTarget } from '@telecine/contract/domain/quality.ts';
import type { ChosenValue } from '../../quality/search.ts';
import { isReached, roundedScore } from '../../quality/search-scales.ts';
import { AIM } from './aim.ts';
import { exceedsBitrate, exceedsSize } from './another-value.ts';
import type { MeasuredWhole } from './measure-whole.ts';

/** What kept a value from a better quality. `maxBitsPerSecond`: what the request left for the video. undefined: it has no limit. */
interface ValueLimit {
  readonly limit?: ChosenValue['limit'];
  readonly maxBitsPerSecond: number | undefined;
}

/** Warnings about a target that was missed, and limits that were exceeded. `limit`: what limited the value. `cause`: why the run was stopped before its end. */
export function qualityWarnings(
  quality: Omit<MeasuredTarget, 'encoder' | 'result'>,
  limit: ValueLimit,
  whole: Omit<MeasuredWhole, 'pass' | 'written'>,
  cause: Failure | undefined,
): readonly Warning[] {
  const { maxBitrate = 0, maxSize = 0 } = quality;
  const { reached, bytes = 0, bitsPerSecond = 0 } = whole;
  return [
    ...(reached === undefined
      ? [notMeasured(cause)]
      : isReached(quality, reached)
        ? []
        : [missed(quality, limit, whole.value, reached)]),
    ...(exceedsBitrate(quality, whole) ? [tooFast(maxBitrate, bitsPerSecond)] : []),
    ...(exceedsSize(quality, whole) ? [tooLarge(maxSize, bytes)] : []),
  ];
}

const notMeasured = (cause: Failure | undefined): Warning => ({
  field: '/quality',
  code: 'QUALITY_UNKNOWN',
  message: `The output is complete, but ${WHY_NOT_MEASURED[cause?.code ?? ''] ?? 'ffmpeg could not compare it with its source.'}`,
});

const STOPPED_BY_LIMIT = 'a limit of the disk or of the client stopped the job before its quality was measured.';

const WHY_NOT_MEASURED: Readonly<Record<string, string>> = {
  TIMEOUT: 'the time of the job was over before its quality was measured.',
  NO_SPACE: STOPPED_BY_LIMIT,
  LIMIT_EXCEEDED: STOPPED_BY_LIMIT,
};

/** Says by how much the output misses the target, and what limits it. */
function missed(
  { metric, target, scale, maxBitrate }: Omit<MeasuredTarget, 'encoder' | 'result'>,
  { limit, maxBitsPerSecond = 0 }: ValueLimit,
  value: number,
  reached: number,
): Warning {
  const name = METRIC_NAMES[metric];
  const message = `The output has ${name} ${reached}, and the target is ${target}`;
  if (limit === 'bitrate') {
    const isBySize = maxBitrate === undefined || Math.round(maxBitrate * AIM) > Math.round(maxBitsPerSecond);
    const field = isBySize ? 'maxSize' : 'maxBitrate';
    const allowed = isBySize ? maxBitsPerSecond : maxBitrate;
    return {
      field: `/quality/${field}`,
      code: 'QUALITY_MISSED',
      message: `${message}: "${field}" allows ${Math.round(allowed / 1000)} kb/s of video.`,
      fix: `Send a higher "${field}", a smaller video ("vf": "scale=1280:-2"), or a slower "preset" of the encoder.`,
    };
  }
  if (limit === 'scale')
    return {
      field: '/quality/target',
      code: 'QUALITY_MISSED',
      message: `${message}: it is not reached with ${scale.option} ${value}, the best value that was tried.`,
      fix: `Send a lower "target", such as ${reached}.`,
    };
  return {
    field: '/quality/target',
    code: 'QUALITY_MISSED',
    message: `${message}: its samples had a better quality than the full video.`,
    fix: `Send a "target" that is higher by ${roundedScore(target - reached)}, or "${scale.option}" below ${value} instead of "quality".`,
  };
}

const tooFast = (maxBitrate: number, bitsPerSecond: number): Warning => ({
  field: '/quality/maxBitrate',
  code: 'QUALITY_MISSED',
  message: `The video has ${Math.ceil(bitsPerSecond / 1000)} kb/s on average, more than "maxBitrate" (${maxBitrate / 1000} kb/s): its samples had a lower bit rate than the full video.`,
  fix: `Send a "maxBitrate" that is lower by ${Math.ceil(bitsPerSecond - maxBitrate)}.`,
});

const tooLarge = (maxSize: number, bytes: number): Warning => ({
  field: '/quality/maxSize',
  code: 'QUALITY_MISSED',
  message: `The output has ${bytes} bytes, more than "maxSize" (${maxSize}): its samples had a lower bit rate than the full video.`,
  fix: `Send a "maxSize" that is lower by ${bytes - maxSize}, or the recipe "target-size".`,
});
