import { type ByteRange, joinRanges, type PartOfFile, rangeBytes } from '@telecine/contract/domain/byte-ranges.ts';

/** Where the packets of a source are in its file, in bytes. */
export interface PacketPositions {
  /** The start of each frame of the video, in the order in which they are shown. */
  readonly starts: ArrayLike<number>;
  /** The end of each frame. */
  readonly ends: ArrayLike<number>;
  /** From the first packet of any stream to the end of the last one. */
  readonly packets: ByteRange;
  /** The bytes of all packets of all streams. */
  readonly packetBytes: number;
  readonly fileBytes: number;
}

/** The frames of a chunk, in a source whose frames have these times in seconds. */
interface FrameRange {
  readonly from: number;
  /** The frame after the last one. */
  readonly to: number;
  readonly seconds: ArrayLike<number>;
  /** 1: a key frame. */
  readonly keys: ArrayLike<number>;
}

/** ffmpeg reads up to 5 MB at the start of a file to find out its properties. */
export const HEAD_BYTES = 5_500_000;

/** With B-frames, ffmpeg begins to read MP4 at the key frame before the one that it seeks. */
const BEFORE_SECONDS = 0.5;

/** How far a cluster of Matroska may begin before a key frame in it. Muxers end clusters after 5 s. */
const CLUSTER_SECONDS = 6;

/** How far ffmpeg reads beyond the last frame: packets wait for the decoder in queues. */
const [AFTER_SECONDS, AFTER_FRAMES] = [3, 100];

/** The boxes between packets that an MP4 file without fragments may have. */
const MAX_GAP_BYTES = 4096;

/** A chunk that needs more of the file gets all of it. */
const MAX_SHARE = 0.7;

/**
 * Returns the bytes of a file that encoding a chunk reads: the headers and the index, and the packets of the video around the chunk.
 * undefined: that is not known, or is most of the file.
 */
export function bytesOfChunk(
  format: string,
  { starts, ends, packets, packetBytes, fileBytes }: PacketPositions,
  { from, to, seconds, keys }: FrameRange,
): PartOfFile | undefined {
  const [first, end] = packets;
  // The headers of fragments are between the packets.
  const hasKnownLayout = format === 'mov' ? end - first - packetBytes <= MAX_GAP_BYTES : format === 'matroska';
  if (!hasKnownLayout) return undefined;
  const keyTime = (seconds[from] ?? 0) - BEFORE_SECONDS;
  let begin = from;
  while (begin > 0 && (keys[begin] !== 1 || (seconds[begin] ?? 0) > keyTime)) begin--;
  if (format === 'matroska') begin = lastBefore(seconds, begin, (seconds[begin] ?? 0) - CLUSTER_SECONDS);
  const last = seconds.length - 1;
  const endTime = (seconds[Math.min(to, last)] ?? 0) + AFTER_SECONDS;
  let stop = Math.min(to + AFTER_FRAMES, last);
  while (stop < last && (seconds[stop] ?? 0) < endTime) stop++;
  // Frames that an edit list hides may be before the first frame. After the last frame, ffmpeg reads the other streams to their end.
  let [low, high] = [begin === 0 ? first : fileBytes, stop === last ? end : 0];
  for (let at = begin; at <= stop; at++) {
    low = Math.min(low, starts[at] ?? 0);
    high = Math.max(high, ends[at] ?? 0);
  }
  const ranges = joinRanges([
    [0, Math.min(first + HEAD_BYTES, fileBytes)],
    [low, Math.min(high, fileBytes)],
    [Math.min(end, fileBytes), fileBytes],
  ]);
  return rangeBytes(ranges) <= MAX_SHARE * fileBytes ? { ranges, fileBytes } : undefined;
}

function lastBefore(seconds: ArrayLike<number>, from: number, time: number): number {
  let at = from;
  while (at > 0 && (seconds[at] ?? 0) > time) at--;
  return at;
}
