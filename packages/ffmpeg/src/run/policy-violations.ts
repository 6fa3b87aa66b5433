import { type ClientLimits, MEDIA_MARGIN_SECONDS } from '@telecine/contract/domain/client-limits.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import { durationText } from '@telecine/contract/domain/quantity.ts';
import type { LogLine } from '../log/log-line.ts';

/** What the log and progress of a running pass show. */
export interface ObservedPass {
  /** The largest number of streams of an input or output. */
  readonly largestStreamCount: number;
  /** The seconds of output that ffmpeg has written. */
  readonly outSeconds: number;
  /** The seconds of all files that ffmpeg has written, as quotas count them. undefined: not known yet. */
  readonly mediaSeconds?: number | undefined;
  readonly complaints: readonly LogLine[];
}

/** Matches the error about a frame above `-max_pixels` or ffmpeg's own maximum. A damaged file may cause it with a meaningless size. */
const PICTURE = /^Picture size (\d+)x(\d+) (?:is invalid|exceeds specified max pixel count)/;

/** Checks the limits that only a run can exceed, such as the duration of its output. undefined: the run exceeds no limit. */
export function findPolicyViolation(policy: ClientLimits, observed: ObservedPass): Failure | undefined {
  const { duration, media, pixels, streams } = policy;
  if (duration !== undefined && observed.outSeconds > duration)
    return {
      code: 'LIMIT_EXCEEDED',
      message: `The output is longer than the ${durationText(duration)} allowed for one output (limit "duration").`,
      fix: 'Send "t", or limit what loops or never ends (image subtitles in overlay: "eof_action=pass"), or ask the operator for a higher limit.',
    };
  if (
    media !== undefined &&
    observed.mediaSeconds !== undefined &&
    observed.mediaSeconds > media + MEDIA_MARGIN_SECONDS
  )
    return {
      code: 'LIMIT_EXCEEDED',
      message: `The output is longer than the ${durationText(media)} that are left of the quota "media" of this day.`,
      fix: 'Send "t", or leave out what makes the output longer; or ask the operator for more.',
    };
  if (streams !== undefined && observed.largestStreamCount > streams)
    return {
      code: 'LIMIT_EXCEEDED',
      message: `A file has ${observed.largestStreamCount} streams; at most ${streams} are allowed (limit "streams").`,
      fix: 'Send a file with fewer streams, map fewer, or ask the operator for a higher limit.',
    };
  for (const { text } of pixels === undefined ? [] : observed.complaints) {
    const [, width, height] = PICTURE.exec(text) ?? [];
    if (Number(width) * Number(height) > (pixels ?? 0))
      return {
        code: 'LIMIT_EXCEEDED',
        message: `A frame is ${width}x${height}; at most ${pixels} pixels are allowed (limit "pixels").`,
        fix: 'Send smaller videos or images, scale to a smaller size, or ask the operator for a higher limit.',
      };
  }
  return undefined;
}
