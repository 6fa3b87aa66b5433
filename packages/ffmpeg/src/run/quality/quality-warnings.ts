import type { Warning } from '@telecine/contract/domain/plan.ts';
import { METRIC_NAMES, type PlannedQuality } from '@telecine/contract/domain/quality.ts';
import type { FoundQuality } from './search-quality.ts';

/** What was measured of the output. */
interface MeasuredResult {
  /** undefined: ffmpeg could not compare the output with its source. */
  readonly reached: number | undefined;
  readonly isReached: boolean;
  /** The size of the output. undefined: unknown. */
  readonly bytes: number | undefined;
}

/** Warnings about a target that was missed, and a size that was exceeded. */
export function qualityWarnings(
  quality: PlannedQuality,
  search: FoundQuality,
  { reached, isReached, bytes }: MeasuredResult,
): readonly Warning[] {
  const { maxSize } = quality;
  return [
    ...(reached === undefined ? [NOT_MEASURED] : isReached ? [] : [missed(quality, search, reached)]),
    ...(maxSize !== undefined && bytes !== undefined && bytes > maxSize ? [tooLarge(maxSize, bytes)] : []),
  ];
}

const NOT_MEASURED: Warning = {
  field: '/quality',
  code: 'QUALITY_UNKNOWN',
  message: 'The output is complete, but ffmpeg could not compare it with its source.',
};

/** Says by how much the output misses the target, and what limits it. */
function missed(
  { metric, target, scale, maxBitrate }: PlannedQuality,
  { chosen: { limit, value }, maxBitsPerSecond = 0 }: FoundQuality,
  reached: number,
): Warning {
  const name = METRIC_NAMES[metric];
  const message = `The output has ${name} ${reached}, and the target is ${target}`;
  if (limit === 'bitrate') {
    const isBySize = maxBitrate === undefined || maxBitrate > maxBitsPerSecond;
    const field = isBySize ? 'maxSize' : 'maxBitrate';
    return {
      field: `/quality/${field}`,
      code: 'QUALITY_MISSED',
      message: `${message}: "${field}" allows ${Math.round(maxBitsPerSecond / 1000)} kb/s of video.`,
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
    message: `${message}: the samples of this video were better than the whole.`,
    fix: `Send a "target" that is higher by ${Number((target - reached).toFixed(4))}, or "${scale.option}" below ${value} instead of "quality".`,
  };
}

const tooLarge = (maxSize: number, bytes: number): Warning => ({
  field: '/quality/maxSize',
  code: 'QUALITY_MISSED',
  message: `The output has ${bytes} bytes, more than "maxSize" (${maxSize}): the samples of this video were smaller than the whole.`,
  fix: `Send a "maxSize" that is lower by ${bytes - maxSize}, or the recipe "target-size".`,
});
