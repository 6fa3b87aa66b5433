import { type Build, isReleaseFrom } from './build.ts';

/**
 * True if the frame rate is unknown after the filter `setpts` of the build. Encoders then take the time base for it, and ffmpeg writes a
 * constant rate of 25. Tested with 5.1 and 7.1. That the filter keeps the rate from 8.1 on, unless `strip_fps` is set, is not tested. False for
 * a snapshot, whose release is unknown.
 */
export const setptsLosesRate = ({ release }: Pick<Build, 'release'>): boolean =>
  release !== undefined && isReleaseFrom(release, [7, 0]) && !isReleaseFrom(release, [8, 1]);
