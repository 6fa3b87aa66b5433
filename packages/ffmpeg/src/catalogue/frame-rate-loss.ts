import { type Build, isReleaseFrom } from './build.ts';

/**
 * True if the filter `setpts` of this ffmpeg build leaves the frame rate unknown. Encoders then use the time base as the frame rate, and
 * formats with a constant rate get 25 frames per second. Tested with 5.1 and 7.1. Not tested: from 8.1 on, `setpts` keeps the rate unless
 * `strip_fps` is set. False for a snapshot, whose release is unknown.
 */
export const setptsLosesRate = ({ release }: Pick<Build, 'release'>): boolean =>
  release !== undefined && isReleaseFrom(release, [7, 0]) && !isReleaseFrom(release, [8, 1]);
