import type { Failure } from '../../domain/failure.ts';
import type { OutputStream } from '../../domain/job.ts';
import type { Policy } from '../../domain/policy.ts';
import { spanText } from '../../domain/quantity.ts';
import type { LogLine } from '../log/log-line.ts';

/** What ffmpeg has told of a pass so far. */
export interface Observed {
  readonly inputs: readonly { readonly streams: readonly OutputStream[] }[];
  readonly outputStreams: readonly OutputStream[];
  /** Seconds of output written. */
  readonly outSeconds: number;
  readonly complaints: readonly LogLine[];
}

/** By `-max_pixels`, or by what ffmpeg takes at all; a damaged file makes it say so of sizes that mean nothing. */
const PICTURE = /^Picture size (\d+)x(\d+) (?:is invalid|exceeds specified max pixel count)/;

/** The limit that a pass went past, of those that only ffmpeg's own words tell. */
export function findPolicyViolation({ duration, pixels, streams }: Policy, told: Observed): Failure | undefined {
  if (duration !== undefined && told.outSeconds > duration)
    return {
      code: 'LIMIT_EXCEEDED',
      message: `The output is longer than the ${spanText(duration)} that one may be (limit "duration").`,
      fix: 'Send "t", or end what loops or goes on for ever; or ask the operator for a higher limit.',
    };
  const most = Math.max(told.outputStreams.length, ...told.inputs.map((input) => input.streams.length));
  if (streams !== undefined && most > streams)
    return {
      code: 'LIMIT_EXCEEDED',
      message: `A file has ${most} streams; ${streams} is the most that one may have (limit "streams").`,
      fix: 'Send a file with fewer streams, map fewer, or ask the operator for a higher limit.',
    };
  for (const { text } of pixels === undefined ? [] : told.complaints) {
    const [, width, height] = PICTURE.exec(text) ?? [];
    if (Number(width) * Number(height) > (pixels ?? 0))
      return {
        code: 'LIMIT_EXCEEDED',
        message: `A picture is ${width}x${height}; ${pixels} pixels is the most that one may have (limit "pixels").`,
        fix: 'Send smaller pictures, scale to a smaller size, or ask the operator for a higher limit.',
      };
  }
  return undefined;
}
