import { type ByteRange, joinRanges, rangeBytes } from '@telecine/contract/domain/byte-ranges.ts';
import type { ClipDetails } from '../probe/read-answer.ts';

/** How far before a frame ffmpeg begins to read: it seeks to the key frame before this time. */
const BEFORE_SECONDS = 0.5;

/** How long before the end of the video the last key frame is searched for. */
export const BEFORE_END_SECONDS = 0.5;

/** How far beyond a frame ffmpeg reads, because packets wait for the decoder in queues. */
export const AFTER_SECONDS = 3;

/** How far from a frame the nearest packet may be. If it is farther, the index is not in the bytes that are there. */
const MAX_DISTANCE_SECONDS = 1;

/** Bytes of other streams between two packets of the video are fetched too, unless they are more than this. */
const MAX_GAP_BYTES = 2 ** 20;

/** If frames need a larger share of the file, all of it is better: the next preview then needs no bytes. */
const MAX_SHARE = 0.5;

/** The part of a file that ffmpeg reads for the frame at a time, in seconds. It also reads from the key frame before that part. */
export const frameInterval = (time: number): readonly [from: number, to: number] => [
  Math.max(0, time - BEFORE_SECONDS),
  time + AFTER_SECONDS,
];

/**
 * The bytes of a file that ffmpeg reads for frames. undefined: that is not known, or is most of the file.
 *
 * @param times In the timestamps of the file, in seconds.
 * @param packets The packets in the intervals of the frames, and from the key frames before them. The last one is the last key frame of the
 * video: if it is in the first half of the file, the index has only a part of the packets, as in a fragmented file, and the duration is wrong.
 */
export function bytesOfFrames(
  times: readonly number[],
  packets: ClipDetails['packets'],
  fileBytes: number,
): readonly ByteRange[] | undefined {
  const isNear = (time: number): boolean =>
    packets.some(({ seconds }) => seconds !== undefined && Math.abs(seconds - time) <= MAX_DISTANCE_SECONDS);
  if (!times.every(isNear) || (packets.at(-1)?.position ?? 0) < fileBytes / 2) return undefined;
  const ranges = packets.flatMap(({ position, sizeBytes }): readonly ByteRange[] =>
    position === undefined || sizeBytes === undefined ? [] : [[position, position + sizeBytes]],
  );
  if (ranges.length < packets.length || ranges.some(([, to]) => to > fileBytes)) return undefined;
  const joined = joinRanges(ranges.map(([from, to]): ByteRange => [from, to + MAX_GAP_BYTES])).map(
    ([from, to]): ByteRange => [from, to - MAX_GAP_BYTES],
  );
  return rangeBytes(joined) <= MAX_SHARE * fileBytes ? joined : undefined;
}
