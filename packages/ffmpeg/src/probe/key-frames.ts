import { isVideoNotCover, type MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { keyFramesPlan, type ProbePlan } from './plan-probe.ts';
import type { ClipDetails } from './read-answer.ts';

/** The maximum number of key frames in a reply. Even 20 seconds at 120 frames per second, all of them key frames, have half as many. */
const MAX_KEY_FRAMES = 5000;

/** The probe that lists the key frames for which the request asks. undefined: it asks for none, or the file has no video. */
export function keyFrameSearch(plan: ProbePlan, { format, streams }: MediaInfo): ProbePlan | undefined {
  const video = streams.find(isVideoNotCover);
  if (plan.keyFramesNear === undefined || video === undefined) return undefined;
  return keyFramesPlan(plan, plan.keyFramesNear, { stream: video.index, start: format.startSeconds ?? 0 });
}

/** The times of the key frames that `keyFrameSearch` has found, in seconds from the start of the file. */
export function keyFrameTimes(found: ClipDetails | undefined, { format }: MediaInfo): readonly number[] {
  const { startSeconds = 0 } = format;
  const times = (found?.packets ?? []).flatMap(({ seconds, isKey }) =>
    isKey === true && seconds !== undefined ? [Math.max(0, rounded(seconds - startSeconds, 6))] : [],
  );
  return [...new Set(times)].sort((a, b) => a - b).slice(0, MAX_KEY_FRAMES);
}
