import { type ByteRange, joinRanges, type PartOfFile, rangeBytes } from '@telecine/contract/domain/byte-ranges.ts';
import { firstAfter, lowerBound } from './first-position.ts';

/** Where the packets of a source are in its file, in bytes. */
export interface PacketPositions {
  /** For each frame of the video, in the order in which they are shown, the lowest start of it and of all later frames. */
  readonly starts: ArrayLike<number>;
  /** For each frame, the highest end of it and of all earlier frames. */
  readonly ends: ArrayLike<number>;
  /** For each frame, the number of the last key frame up to it. 0: there is none. */
  readonly keyFrames: ArrayLike<number>;
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
  { starts, ends, keyFrames, packets, packetBytes, fileBytes }: PacketPositions,
  { from, to, seconds }: FrameRange,
): PartOfFile | undefined {
  const [first, end] = packets;
  // The headers of fragments are between the packets.
  const hasKnownLayout = format === 'mov' ? end - first - packetBytes <= MAX_GAP_BYTES : format === 'matroska';
  if (!hasKnownLayout) return undefined;
  const lastUntil = (time: number): number => Math.max(0, firstAfter(seconds, time) - 1);
  let begin = keyFrames[lastUntil((seconds[from] ?? 0) - BEFORE_SECONDS)] ?? 0;
  if (format === 'matroska') begin = lastUntil((seconds[begin] ?? 0) - CLUSTER_SECONDS);
  const last = seconds.length - 1;
  const endTime = (seconds[Math.min(to, last)] ?? 0) + AFTER_SECONDS;
  const stop = Math.min(last, Math.max(to + AFTER_FRAMES, lowerBound(seconds, endTime)));
  // Frames that an edit list hides may be before the first frame. After the last frame, ffmpeg reads the other streams to their end.
  const low = begin === 0 ? Math.min(first, starts[0] ?? first) : (starts[begin] ?? 0);
  const high = stop === last ? Math.max(end, ends[last] ?? end) : (ends[stop] ?? 0);
  const ranges = joinRanges([
    [0, Math.min(first + HEAD_BYTES, fileBytes)],
    [low, Math.min(high, fileBytes)],
    [Math.min(end, fileBytes), fileBytes],
  ]);
  return rangeBytes(ranges) <= MAX_SHARE * fileBytes ? { ranges, fileBytes } : undefined;
}
