import type { MeasuredTarget } from '@telecine/contract/domain/quality.ts';
import type { CorrectedValue } from '../../quality/search.ts';
import { isReached, isWorthAnother } from '../../quality/search-scales.ts';
import { AIM } from './aim.ts';
import type { MeasuredWhole } from './measure-whole.ts';
import type { FoundQuality } from './search-quality.ts';

/** What is known about an encode of the full video. */
type Whole = Pick<MeasuredWhole, 'value' | 'reached' | 'bytes' | 'videoBytes' | 'bitsPerSecond'>;

/** Up to this multiple of `maxBitrate`, an output gets neither another encode nor a warning. */
const ALLOWED_BITRATE = 1.01;
/** ffmpeg rounds the bytes of the video. */
const ROUNDING_BYTES = 1024;

/** True if the average bit rate of the video is noticeably higher than the request allows. */
export const exceedsBitrate = (
  { maxBitrate }: Pick<MeasuredTarget, 'maxBitrate'>,
  { videoBytes, bitsPerSecond }: Whole,
): boolean =>
  maxBitrate !== undefined &&
  bitsPerSecond !== undefined &&
  bitsPerSecond * (1 - ROUNDING_BYTES / Math.max(ROUNDING_BYTES, videoBytes)) > maxBitrate * ALLOWED_BITRATE;

export const exceedsSize = ({ maxSize }: Pick<MeasuredTarget, 'maxSize'>, { bytes = 0 }: Whole): boolean =>
  maxSize !== undefined && bytes > maxSize;

const exceedsLimit = (quality: MeasuredTarget, whole: Whole): boolean =>
  exceedsBitrate(quality, whole) || exceedsSize(quality, whole);

/** The value of another encode. `maxBitsPerSecond`: what the limits of the request leave for its video. undefined: there is no limit. */
export interface AnotherValue extends CorrectedValue {
  readonly maxBitsPerSecond: number | undefined;
}

/**
 * The value with which the full video should be encoded once more. undefined: it should not, because the first encode is near the target, or
 * because no value is better within the limits.
 */
export function anotherValue(
  quality: MeasuredTarget,
  search: Pick<FoundQuality, 'corrected'>,
  whole: Whole,
): AnotherValue | undefined {
  const { value, reached } = whole;
  if (reached === undefined) return undefined;
  const maxBitsPerSecond = limitOf(quality, whole);
  const corrected = search.corrected({ value, score: reached, bitsPerSecond: whole.bitsPerSecond }, maxBitsPerSecond);
  const other = { ...corrected, maxBitsPerSecond };
  const more = other.value - value;
  if (exceedsLimit(quality, whole)) return more > 0 ? other : undefined;
  return isWorthAnother(quality, reached, more) ? other : undefined;
}

/** The highest bits per second of the video, by `maxBitrate` and by what the other streams leave of `maxSize`. undefined: no limit. */
function limitOf(
  { maxBitrate, maxSize }: MeasuredTarget,
  { bytes, videoBytes, bitsPerSecond }: Whole,
): number | undefined {
  const byBitrate = maxBitrate && maxBitrate * AIM;
  if (maxSize === undefined || bytes === undefined || bitsPerSecond === undefined) return byBitrate;
  const bySize = (bitsPerSecond * (videoBytes + maxSize * AIM - bytes)) / videoBytes;
  return Math.max(1, Math.min(bySize, byBitrate ?? Number.POSITIVE_INFINITY));
}

/** True if `one` is better than `other`: within the limits, at the target, and then smaller. */
export function isBetter(quality: MeasuredTarget, one: Whole, other: Whole): boolean {
  if (one.reached === undefined || other.reached === undefined) return false;
  const [exceeds, otherExceeds] = [exceedsLimit(quality, one), exceedsLimit(quality, other)];
  if (exceeds !== otherExceeds) return otherExceeds;
  const [reaches, otherReaches] = [isReached(quality, one.reached), isReached(quality, other.reached)];
  if (!exceeds && reaches !== otherReaches) return reaches;
  return exceeds || reaches ? (one.bytes ?? 0) < (other.bytes ?? 0) : one.reached > other.reached;
}
