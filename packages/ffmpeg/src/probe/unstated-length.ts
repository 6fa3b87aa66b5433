import { isVideoNotCover, type MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { STILL } from '../allowlist/containers.ts';
import { type ProbePlan, packetTimesPlan } from './plan-probe.ts';
import type { ClipDetails } from './read-answer.ts';

/**
 * The probe that shows when a file ends whose header does not say so, such as a recording of a browser or a raw stream. undefined: the
 * plan does not ask, the header says it, or the file is a still image.
 */
export function lengthSearch(plan: ProbePlan, { format, streams }: MediaInfo): ProbePlan | undefined {
  const isTimed = streams.some((stream) => isVideoNotCover(stream) || stream.type === 'audio');
  const isKnown = plan.measuresLength !== true || format.durationSeconds !== undefined;
  if (isKnown || !isTimed || format.names.some((name) => STILL.test(name))) return undefined;
  return packetTimesPlan(plan, format.startSeconds === undefined ? 'all' : 'last');
}

/**
 * Adds the length that `lengthSearch` has found. A raw stream has no times, but the length of each packet. A file of one packet, such as a
 * still image, stays without a length.
 */
export function withFoundLength(info: MediaInfo, found: ClipDetails | undefined): MediaInfo {
  const packets = found?.packets ?? [];
  const { startSeconds = 0 } = info.format;
  const timed = packets.flatMap(({ seconds, durationSeconds = 0 }) =>
    seconds === undefined ? [] : [{ seconds, end: seconds + durationSeconds }],
  );
  const isStill = timed.length === 0 ? packets.length < 2 : timed.every(({ seconds }) => seconds <= startSeconds);
  const end = timed.length === 0 ? longestStream(packets) : timed.reduce((most, one) => Math.max(most, one.end), 0);
  const durationSeconds = rounded(end - startSeconds, 6);
  return isStill || durationSeconds <= 0 ? info : { ...info, format: { ...info.format, durationSeconds } };
}

function longestStream(packets: ClipDetails['packets']): number {
  const lengths = new Map<number, number>();
  for (const { stream, durationSeconds = 0 } of packets)
    lengths.set(stream, (lengths.get(stream) ?? 0) + durationSeconds);
  return Math.max(0, ...lengths.values());
}
